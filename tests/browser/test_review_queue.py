"""An inspector clears a queue by keyboard, and asks the operator, who answers without seeing the notes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.inspection.reviews.models import Decision, Review
from rounds.ledger.signing.checkpoints import create_key_file
from tests.browser.demo_people import audit_and_open_reviews, demo_house
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    reauthenticate,
    save_screenshot,
    sign_in,
)
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import wager
from tests.compliance.inspection.reviews.scenario import Place, many_reviews

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
QUEUE = "/casinos/harbour/reviews/"


@pytest.fixture
def house(site: str, settings: Settings, tmp_path: Path) -> House:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    house = demo_house()
    house.open_table()
    return house


def look_at(page: Page, name: str) -> None:
    assert_accessible(page)
    assert_fits_its_width(page)
    save_screenshot(page, name)


def press_on(page: Page, words: str) -> None:
    """Tabs to the element with this text, then Enter. (Access keys are the browser's to handle.)"""
    for _ in range(60):
        if page.evaluate("document.activeElement.textContent.trim()") == words:
            assert page.evaluate("document.activeElement.accessKey"), words
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{words} cannot be reached with the keyboard.")


def test_a_queue_is_cleared_with_the_keyboard(house: House, open_browser: OpenBrowser) -> None:
    """A wager in cash is a breach, not serious: no sign-off, so that nothing but the keys of the queue is needed."""
    for _ in range(3):
        house.play((4, 2, 4), wager("small", 2_500, 5_000, tender="cash"))
    audit_and_open_reviews(house)
    assert set(Review.objects.values_list("code", "severity")) == {("WAGER-TENDER", "breach")}
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto(QUEUE)
    for left in (2, 1, 0):
        expect(page.get_by_role("heading", level=1)).to_have_text("Reviews at Harbour Casino")
        press_on(page, "Review the next finding")
        expect(page.get_by_role("heading", level=1)).to_have_text("WAGER-TENDER")
        press_on(page, "Explained")
        expect(page.get_by_role("heading", level=1)).to_have_text("Explained: WAGER-TENDER")
        page.get_by_label("Put right at the table or afterwards").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        expect(page.get_by_label("Your note")).to_be_focused()
        page.keyboard.type("Exchanged for chips before the round.")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("WAGER-TENDER: explained.")
        expect(page.get_by_role("button", name="Review the next finding")).to_be_focused()
        assert Review.objects.waiting().count() == left
    expect(page.locator("main")).to_contain_text("Nothing waits for review.")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Every finding is decided")
    assert Decision.objects.count() == 3


def test_a_question_goes_to_the_operator_and_comes_back_answered(house: House, open_browser: OpenBrowser) -> None:
    house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-7"))
    audit_and_open_reviews(house)
    finding = Review.objects.get().finding
    inspector, officer = open_browser(), open_browser()
    sign_in(inspector, "Inspector")
    inspector.goto(f"{QUEUE}{finding.entry_index}/")
    inspector.get_by_role("link", name="Ask the operator").click()
    inspector.get_by_label("Circumstances are unclear").check()
    inspector.get_by_label("What do you ask the operator?").fill("Who paid wager w-7, and was it noticed?")
    inspector.get_by_label("Your note").fill("I suspect collusion.")
    look_at(inspector, "review-ask")
    inspector.get_by_role("button", name="Decide").click()
    expect(inspector.get_by_role("status")).to_contain_text("needs information")

    sign_in(officer, "Compliance officer")
    officer.goto("/")
    officer.get_by_role("navigation", name="Main").get_by_role("link", name="Questions").click()
    officer.get_by_role("link", name="Harbour Casino").click()
    expect(officer.locator("main")).to_contain_text("Who paid wager w-7")
    look_at(officer, "questions")
    assert officer.request.get(f"{QUEUE}{finding.entry_index}/").status == 404
    officer.goto(f"/casinos/harbour/findings/{finding.entry_index}/")
    expect(officer.locator("main")).to_contain_text("Asked: Who paid wager w-7")
    expect(officer.locator("body")).not_to_contain_text("collusion")
    officer.goto("/casinos/harbour/questions/")
    officer.get_by_role("link", name="SETTLE-OVERPAID").click()
    expect(officer.locator("body")).not_to_contain_text("collusion")
    officer.get_by_label("Your answer").fill("Dealer 14 paid it; the pit manager corrected it at 7 pm.")
    look_at(officer, "answer")
    officer.get_by_role("button", name="Send the answer").click()
    expect(officer.locator("main")).to_contain_text("Your answer is recorded.")

    inspector.goto(QUEUE)
    expect(inspector.locator("main")).to_contain_text("Answered")
    inspector.get_by_role("button", name="Review the next finding").click()
    expect(inspector.locator("main")).to_contain_text("Dealer 14 paid it")
    expect(inspector.locator("main")).to_contain_text("I suspect collusion.")
    look_at(inspector, "review-answered")
    inspector.get_by_role("link", name="Explained", exact=True).click()
    inspector.get_by_label("Put right at the table or afterwards").check()
    inspector.get_by_label("Your note").fill("Seen on the tape.")
    reauthenticate(inspector)
    inspector.get_by_role("button", name="Decide").click()
    expect(inspector.get_by_role("status")).to_contain_text("SETTLE-OVERPAID: explained.")
    for width in (320, 768, 1280):
        inspector.set_viewport_size({"width": width, "height": 900})
        for address in (QUEUE, f"{QUEUE}groups/", f"{QUEUE}{finding.entry_index}/", "/casinos/harbour/reports/"):
            inspector.goto(address)
            assert_fits_its_width(inspector)


def test_five_hundred_findings_of_one_cause_are_decided_together(house: House, open_browser: OpenBrowser) -> None:
    """One broken controller; a thousand findings, half of them of the same code. Each decision is its own entry."""
    many_reviews(Place(house.casino, timezone.now()), 1_000)
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto(QUEUE)
    page.get_by_role("link", name="Decide similar findings together").click()
    page.get_by_role("link", name="Controller", exact=True).click()
    page.get_by_role("link", name="SETTLE-OVERPAID").click()
    expect(page.locator("main")).to_contain_text("500 findings can be decided together")
    look_at(page, "group")
    page.get_by_role("link", name="Uphold", exact=True).click()
    page.get_by_label("Fault of equipment or software").check()
    page.get_by_label("Your note").fill("One broken controller.")
    reauthenticate(page)
    look_at(page, "group-decide")
    page.get_by_role("button", name="Decide all of them").click()
    expect(page.get_by_role("status")).to_contain_text("500 findings: upheld.")
    assert Decision.objects.values("entry_index").distinct().count() == 500
    assert Review.objects.waiting().count() == 500
