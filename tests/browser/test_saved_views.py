"""An inspector saves a view of the queue, is notified of new rows, and draws a sample weighted by risk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.core.web.mail.outbox import send_due_emails
from compliance.notify.saved_views.models import Subscription
from compliance.notify.saved_views.subscriptions.new_rows import check_due_subscriptions
from rounds.ledger.signing.checkpoints import create_key_file
from tests.browser.demo_people import audit_and_open_reviews, demo_house
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import wager
from tests.compliance.inspection.reviews.scenario import Place, many_reviews

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]


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


def test_a_name_without_a_gap_breaks_instead_of_sticking_out(house: House, open_browser: OpenBrowser) -> None:
    page = open_browser(viewport={"width": 320, "height": 900})
    sign_in(page, "Inspector")
    page.goto("/casinos/harbour/reviews/?severity=serious")
    page.get_by_role("link", name="Keep this view").click()
    page.get_by_label("Name").fill("x" * 80)
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("x" * 80)
    assert_fits_its_width(page)


def test_a_view_is_kept_told_of_and_a_weighted_sample_drawn(house: House, open_browser: OpenBrowser) -> None:
    for back in (5_000, 5_000, 5_100):
        house.play((4, 2, 4), wager("small", 2_500, back))
    audit_and_open_reviews(house)
    page = open_browser(viewport={"width": 1024, "height": 1366})
    sign_in(page, "Inspector")
    page.goto("/casinos/harbour/views/")
    look_at(page, "views-none")
    page.goto("/casinos/harbour/reviews/?severity=serious")
    page.get_by_role("link", name="Keep this view").click()
    page.get_by_label("Name").fill("Serious, sorted by nothing")
    page.get_by_label("The inspectorate").check()
    look_at(page, "views-keep")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Serious, sorted by nothing")
    page.get_by_role("link", name="Notify me of new rows").click()
    page.get_by_label("At once").check()
    look_at(page, "views-tell")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("At once")
    many_reviews(Place(house.casino, timezone.now()), 6)
    Subscription.objects.update(next_look_at=timezone.now())
    assert check_due_subscriptions(timezone.now) == 1
    assert send_due_emails(timezone.now) == 1
    page.reload()
    expect(page.get_by_role("table")).to_contain_text("Sent")
    look_at(page, "views-view")
    page.get_by_role("link", name="Open it").click()
    expect(page.get_by_role("navigation", name="Kept views")).to_contain_text("Whole list")
    look_at(page, "views-queue")
    page.goto("/casinos/harbour/views/")
    look_at(page, "views-one")
    page.goto("/")
    expect(page.get_by_role("link", name="Serious, sorted by nothing")).to_be_visible()
    look_at(page, "views-home")
    page.goto("/casinos/harbour/samples/new/weighted/")
    page.get_by_label("What the sample is for").fill("Settlements that are likely to be wrong")
    page.get_by_label("From", exact=True).fill("2026-11-16T11:00")
    page.get_by_label("Until, not included").fill("2026-11-17T11:00")
    page.get_by_label("How many rounds").fill("2")
    look_at(page, "samples-new-weighted")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator("main")).to_contain_text("tickets in all")
    look_at(page, "samples-weighted")
