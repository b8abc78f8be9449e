"""An inspector opens the dashboard of a period, requests its review, and reads it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.reports.tasks import run_report_jobs
from rounds.ledger.signing.checkpoints import create_key_file
from tests.browser.demo_people import audit_and_open_reviews, demo_house
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in
from tests.compliance.audit.round_builders import wager

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]


def test_from_the_dashboard_to_the_period_review(
    site: str, settings: Settings, tmp_path: Path, open_browser: OpenBrowser
) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.REPORTS_DIR = tmp_path / "reports"
    create_key_file(settings.LEDGER_KEY_FILE)
    house = demo_house()
    house.open_table()
    house.play((4, 2, 4), wager("small", 2_500, 5_100))
    house.play((6, 5, 4), wager("small", 2_500, 0))
    audit_and_open_reviews(house)
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto("/casinos/harbour/dashboard/?first=2026-11-16&last=2026-11-15")
    expect(page.get_by_role("alert").first).to_contain_text("The last day must not come before the first.")
    assert_accessible(page)
    page.get_by_label("Last gaming day").fill("2026-11-16")
    page.get_by_role("button", name="Show this period").click()
    expect(page.locator("main")).to_contain_text("$50.00")
    expect(page.get_by_role("img", name="Returned to players").first).to_be_visible()
    assert_accessible(page)
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
        save_screenshot(page, f"dashboard-{width}")

    page.get_by_role("link", name="Make the period review").click()
    expect(page.get_by_label("First gaming day")).to_have_value("2026-11-16")
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Period review")
    run_report_jobs()
    page.reload()
    expect(page.get_by_role("link", name="Download the PDF")).to_be_visible()
    expect(page.locator("main")).to_contain_text("SETTLE-OVERPAID")
    assert_accessible(page)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
    save_screenshot(page, "period-review")
    page.goto("/casinos/harbour/reports/schedules/new/")
    assert_accessible(page)
    page.goto("/casinos/harbour/reports/")
    assert_accessible(page)
