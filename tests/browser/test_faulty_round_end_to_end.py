"""End to end: one faulty round goes from its controller to the ledger, a finding, a decision and a PDF."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.audit.models import Finding
from compliance.inspection.reviews.models import Decision
from compliance.reports.tasks import run_report_jobs
from rounds.ledger.readers.consumer import read_entries_at
from rounds.ledger.signing.checkpoints import create_key_file, sign_log
from tests.browser.demo_people import audit_and_open_reviews, demo_house, feed_round
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    reauthenticate,
    save_screenshot,
    sign_in,
)
from tests.compliance.audit.round_builders import NSW, build_round, wager
from tests.compliance.reports.report_builder import verify_offline
from tests.pdf_text import extract_text

pytestmark = pytest.mark.browser


@pytest.fixture
def faulty_round(site: str, settings: Settings, tmp_path: Path) -> int:
    """Small wins on 4-2-4 and pays even money: $25 should return $50, and returned $51."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.REPORTS_DIR = tmp_path / "reports"
    create_key_file(settings.LEDGER_KEY_FILE)
    house = demo_house()
    index = feed_round(house, build_round(NSW, (4, 2, 4), wager("small", 2_500, 5_100, id="w-7"), wager("big", 500, 0)))
    audit_and_open_reviews(house)
    sign_log("harbour", timezone.now())
    return index


def look_at(page: Page, name: str) -> None:
    assert_accessible(page)
    assert_fits_its_width(page)
    save_screenshot(page, name)


def test_from_the_controller_to_the_pdf(faulty_round: int, open_browser: Callable[..., Page], tmp_path: Path) -> None:
    finding = Finding.objects.get(code="SETTLE-OVERPAID")
    assert finding.subject_index == faulty_round
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Reviews").click()
    page.get_by_role("link", name="Harbour Casino").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Reviews at Harbour Casino")
    look_at(page, "reviews-queue")
    page.get_by_role("button", name="Review the next finding").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("SETTLE-OVERPAID")
    main = page.locator("main")
    for words in ("handed back $1.00 more than was due", "4-2-4", "Every wager of the round", "w-7", "w-big-500"):
        expect(main).to_contain_text(words)
    look_at(page, "review-finding")

    page.get_by_role("link", name="Perform the check again").click()
    expect(main).to_contain_text("The same came out as was recorded.")
    look_at(page, "review-reperformed")
    page.go_back()
    page.get_by_role("link", name="Verify this record").click()
    expect(main).to_contain_text("This record is genuine")
    page.go_back()

    page.get_by_role("link", name="Uphold", exact=True).click()
    page.get_by_label("Error of the staff").check()
    page.get_by_label("Your note").fill("The dealer added a dollar.")
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter your password to sign this off.")
    expect(page.get_by_label("Your note")).to_have_value("The dealer added a dollar.")
    look_at(page, "review-decide")
    reauthenticate(page)
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_role("status")).to_contain_text("SETTLE-OVERPAID: upheld.")
    decision = Decision.objects.get()
    [entry] = read_entries_at("harbour", [decision.entry_index])
    assert entry.content()["outcome"] == "upheld"
    assert "added a dollar" not in entry.body.decode()

    page.goto(f"/casinos/harbour/reviews/{finding.entry_index}/")
    page.get_by_role("link", name="Make a report of it").click()
    expect(page.get_by_label("Finding")).to_have_value(str(finding.entry_index))
    page.get_by_role("button", name="Make the report").click()
    expect(page.get_by_role("status")).to_contain_text("done in the background")
    run_report_jobs()
    # The page polls for progress.
    expect(page.get_by_role("link", name="Download the PDF")).to_be_visible(timeout=30_000)
    look_at(page, "report")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the PDF").click()
    target = tmp_path / "finding.pdf"
    download.value.save_as(target)
    assert "Upheld" in extract_text(target.read_bytes())
    assert "Page 1 of 1" in extract_text(target.read_bytes())
    assert verify_offline(target).returncode == 0
