"""An inspector completes a sample and a checklist and gets a signed PDF, which is verified offline."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.core.accounts.roles import Role
from compliance.core.web.jobs.job import MAX_ATTEMPTS
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.models import Checklist, DraftAnswer, DrawJob
from compliance.inspection.checklists.services import draws
from compliance.inspection.checklists.services.draws import run_waiting_draws
from compliance.reports.jobs.generate import generate_waiting_reports
from rounds.ledger.readers.search_index import index_new_entries
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.rulebook.selectors import pack_of
from tests.browser.demo_people import audit_and_open_reviews, demo_house, demo_person
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    reauthenticate,
    save_screenshot,
    sign_in,
)
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import wager
from tests.compliance.reports.report_builder import verify_offline

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
HOME = "/casinos/harbour/checklists/"


@pytest.fixture
def house(site: str, settings: Settings, tmp_path: Path) -> House:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.REPORTS_DIR = tmp_path / "reports"
    create_key_file(settings.LEDGER_KEY_FILE)
    house = demo_house()
    house.open_table()
    return house


def look_at(page: Page, name: str) -> None:
    assert_accessible(page)
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
    save_screenshot(page, name)


def answer_the_rest(checklist: Checklist) -> None:
    """Answers the other clauses through the service, as colleagues would."""
    done = set(checklist.drafts.values_list("clause", flat=True))
    DraftAnswer.objects.bulk_create(
        DraftAnswer(
            checklist=checklist,
            clause=clause,
            verdict=ClauseVerdict.YES,
            basis=AnswerBasis.OBSERVATION,
            answered_by=demo_person(Role.INSPECTOR),
            answered_at=timezone.now(),
        )
        for clause in pack_of(checklist.version).clauses
        if clause not in done
    )


def draw_a_sample(page: Page) -> None:
    page.goto(HOME)
    look_at(page, "checklists-empty")
    page.get_by_role("link", name="Draw a sample").click()
    page.get_by_label("What the sample is for").fill("Night shift")
    page.get_by_label("From").fill("2026-11-16T11:00")
    page.get_by_label("Until, not included").fill("2026-11-17T11:00")
    page.get_by_label("How many rounds").fill("2")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator("main")).to_contain_text("0 of 2")
    look_at(page, "sample")
    page.get_by_role("link", name="Look at the next round").click()
    expect(page.locator("main")).to_contain_text("the same came out as the audit had recorded")
    look_at(page, "sample-walk")
    page.get_by_label("In order", exact=True).check()
    page.get_by_role("button", name="Record and go on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 2 of 2")
    page.get_by_label("Not in order").check()
    page.get_by_role("button", name="Record and go on").click()
    expect(page.locator("main")).to_contain_text("Say what is not in order.")
    page.get_by_label("Your note").fill("A dollar too much.")
    page.get_by_role("button", name="Record and go on").click()
    expect(page.locator("main")).to_contain_text("2 of 2")
    look_at(page, "sample-results")


def answer_definitions(page: Page) -> None:
    page.get_by_role("link", name="Answer definitions together").click()
    look_at(page, "checklist-unchecked-clauses")
    page.get_by_label("1.1: Opens the definitions.").check()
    page.get_by_label("Observation").check()
    page.get_by_role("button", name="Keep this answer").click()
    expect(page.get_by_role("status")).to_contain_text("1 clause is answered.")


def answer_one_clause(page: Page) -> None:
    """The clause that the overpaid round broke, by rechecking the sample."""
    page.goto(f"{page.url}?audit=found")
    expect(page.locator("main")).to_contain_text("Has findings")
    page.locator("main table").get_by_role("link").first.click()
    expect(page.locator("main")).to_contain_text("1 finding cites it.")
    look_at(page, "checklist-clause")
    page.get_by_role("link", name="Judge rounds again").click()
    page.get_by_label("Which rounds").select_option(index=1)
    page.get_by_role("button", name="Judge these").click()
    expect(page.locator("main")).to_contain_text("Every round came out as the audit had recorded.")
    look_at(page, "checklist-again")
    page.get_by_role("button", name="Use this for the answer").click()
    expect(page.get_by_label("Re-performance")).to_be_checked()
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Keep this answer").click()
    expect(page.get_by_role("status")).to_contain_text("is answered.")


def find_and_replay(page: Page) -> None:
    """From the search box to the round, and through its steps."""
    page.get_by_label("Search", exact=True).fill("r-2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Search: r-2")
    look_at(page, "search")
    page.get_by_role("link", name="Round r-2").click()
    expect(page.locator("main")).to_contain_text("Rounds before it")
    page.get_by_role("link", name="Replay it step by step").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("step 1 of 8")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("step 2 of 8")
    look_at(page, "replay")


def test_from_a_sample_and_a_checklist_to_a_signed_pdf(house: House, open_browser: OpenBrowser, tmp_path: Path) -> None:
    house.play((4, 2, 4), wager("small", 2_500, 5_000, id="w-6"))
    house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-7"))
    audit_and_open_reviews(house)
    index_new_entries("harbour")
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto("/")
    find_and_replay(page)
    draw_a_sample(page)
    page.goto(f"{HOME}new/")
    page.get_by_role("combobox", name="Rules").select_option(index=0)
    page.get_by_label("From").fill("2026-11-16T11:00")
    page.get_by_label("Until, not included").fill("2026-11-17T11:00")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("main")).to_contain_text("0 of 155 clauses are answered.")
    look_at(page, "checklist")
    answer_definitions(page)
    answer_one_clause(page)
    checklist = Checklist.objects.get()
    answer_the_rest(checklist)
    page.goto(f"{HOME}{checklist.entry_index}/")
    expect(page.locator("main")).to_contain_text("155 of 155 clauses are answered.")
    page.get_by_role("link", name="Sign off").click()
    expect(page.get_by_role("table", name="Clauses that findings of this time cite")).to_contain_text("Re-performance")
    look_at(page, "checklist-sign-off")
    page.get_by_label("Conclusion").fill("Kept, but for one payment.")
    reauthenticate(page)
    page.get_by_role("button", name="Sign off").click()
    expect(page.locator("main")).to_contain_text("The checklist is signed off.")
    look_at(page, "checklist-signed")
    page.get_by_role("link", name="Make the signed PDF").click()
    page.get_by_role("button", name="Make the report").click()
    page.wait_for_url("**/reports/*/")
    generate_waiting_reports(timezone.now)
    page.reload()
    download = page.locator("main a[href$='/file/']").first
    expect(download).to_be_visible()
    href = download.get_attribute("href")
    paper = tmp_path / "checklist.pdf"
    paper.write_bytes(page.request.get(href or "").body())
    checked = verify_offline(paper)
    assert checked.returncode == 0, checked.stdout
    assert "156 rows say what their records say" in checked.stdout


def test_many_rounds_are_drawn_by_a_worker_while_the_inspector_watches(
    house: House, open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draws, "MAX_IMMEDIATE_ROUNDS", 1)
    for one in range(3):
        house.play((4, 2, 4), wager("small", 2_500, 5_000, id=f"w-{one}"))
    audit_and_open_reviews(house)
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto("/casinos/harbour/samples/new/")
    page.get_by_label("What the sample is for").fill("The quarter")
    page.get_by_label("From").fill("2026-11-16T11:00")
    page.get_by_label("Until, not included").fill("2026-11-17T11:00")
    page.get_by_label("How many rounds").fill("2")
    page.get_by_role("button", name="Draw").click()
    main = page.locator("main")
    expect(main).to_contain_text("0 of 3 rounds weighed.")
    look_at(page, "sample-waiting")
    # The job used up its attempts; the page shows it without a reload.
    DrawJob.objects.update(attempts=MAX_ATTEMPTS)
    run_waiting_draws(timezone.now)
    expect(main).to_contain_text("It failed:")
    look_at(page, "sample-failed")
    page.get_by_role("button", name="Try again").click()
    expect(main).to_contain_text("0 of 3 rounds weighed.")
    page.get_by_role("button", name="Cancel").click()
    expect(main).to_contain_text("cancelled it before it was done.")
    look_at(page, "sample-cancelled")
    page.get_by_role("button", name="Try again").click()
    expect(main).to_contain_text("0 of 3 rounds weighed.")
    run_waiting_draws(timezone.now)
    expect(main).to_contain_text("0 of 2")
    page.get_by_role("link", name="Draw it again from the seed").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("draw it again")
    look_at(page, "draw-again")
    page.get_by_role("button", name="Draw it again").click()
    expect(main).to_contain_text("0 of 3 rounds weighed.")
    look_at(page, "draw-again-waiting")
    run_waiting_draws(timezone.now)
    expect(main).to_contain_text("The seed draws the same rounds as it did then.")
    look_at(page, "draw-again-same")
