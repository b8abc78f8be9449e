"""An inspector reads a casino's ledger, verifies an entry, downloads evidence, and checks it offline."""

import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.transparency.ledger_pages.tasks import build_bundles
from rounds.ledger.readers.search import size_of
from rounds.ledger.signing.checkpoints import create_key_file, sign_log
from rounds.ledger.tasks import verify_every_log
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_any_screen,
    assert_fits_its_width,
    save_screenshot,
    sign_in,
)
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, follow, play
from tests.rounds.ledger import harbour_log

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
LEDGER = "/casinos/harbour/ledger/"


@pytest.fixture
def ledger(site: str, settings: Settings, tmp_path: Path) -> int:
    """Sixty rounds, signed and indexed; returns the index of the first."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.EVIDENCE_DIR = tmp_path / "evidence"
    create_key_file(settings.LEDGER_KEY_FILE)
    base = size_of("harbour")
    play(60)
    sign_log("harbour", OPENED_AT)
    follow()
    return base


def check_page(page: Page, name: str) -> None:
    """For pages that only a journey reaches; pages with a fixed URL are checked below."""
    assert_accessible(page)
    assert_fits_its_width(page)
    save_screenshot(page, name)


def test_an_inspector_finds_checks_and_takes_away(open_browser: OpenBrowser, ledger: int, tmp_path: Path) -> None:
    page = open_browser()
    sign_in(page, "Inspector")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Ledger").click()
    page.get_by_role("link", name="Harbour Casino").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ledger of Harbour Casino")
    save_screenshot(page, "ledger")

    page.get_by_text("Search the log").click()
    page.get_by_label("Round", exact=True).fill("r-17")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("table", name="Entries that fit").get_by_role("link").click()
    expect(page.get_by_role("link", name="Verify this record")).to_be_visible()
    save_screenshot(page, "ledger-entry")
    page.get_by_role("link", name="Verify this record").click()
    expect(page.locator("main")).to_contain_text("This record is genuine")
    save_screenshot(page, "ledger-check")

    page.goto(f"{LEDGER}?table=SB-7")
    for index in (ledger + 58, ledger + 59):
        page.get_by_label(f"Choose entry {index}").check()
    page.get_by_role("button", name="Take the chosen entries away").click()
    expect(page.get_by_label("Entries", exact=True)).to_have_value(f"{ledger + 58}, {ledger + 59}")
    check_page(page, "new-bundle")
    page.get_by_role("button", name="Prepare the file").click()
    expect(page.get_by_role("status")).to_contain_text("done in the background")
    check_page(page, "bundle-waiting")
    build_bundles()
    # The page polls for progress.
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the file").click(timeout=30_000)
    check_page(page, "bundle")
    zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes())).extractall(tmp_path / "home")
    [folder] = (tmp_path / "home").iterdir()
    checked = subprocess.run(
        [sys.executable, "-I", folder / "verify_bundle.py", folder], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    page.get_by_role("link", name="Evidence", exact=True).click()
    check_page(page, "bundles")


def test_verify_now_and_a_tampered_entry_without_scripts(open_browser: OpenBrowser, ledger: int) -> None:
    page = open_browser(java_script_enabled=False)
    sign_in(page, "Compliance officer")
    page.goto(LEDGER)
    page.get_by_role("button", name="Verify now").click()
    expect(page.locator("main")).to_contain_text("Waiting to begin, asked for by")
    with harbour_log.unguarded() as rogue:
        rogue.execute(f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index = {ledger + 5}")
    verify_every_log()
    page.get_by_role("link", name="Load again").click()
    expect(page.locator("main")).to_contain_text(f"Entry {ledger + 5} (kind test-round")
    save_screenshot(page, "ledger-does-not-fit")
    page.goto(f"{LEDGER}{ledger + 5}/check/")
    expect(page.locator("main")).to_contain_text("the entry was changed after it was recorded")
    save_screenshot(page, "ledger-check-failed")


def test_the_pages_fit_any_screen(open_browser: OpenBrowser, ledger: int) -> None:
    page = open_browser()
    sign_in(page, "Inspector")
    for name, address in {
        "ledger": LEDGER,
        "entry": f"{LEDGER}{ledger}/",
        "check": f"{LEDGER}{ledger}/check/",
        "new-bundle": f"{LEDGER}bundles/new/",
        "bundles": f"{LEDGER}bundles/",
        "logs": "/logs/",
        "help": "/help/evidence/",
        "analysis": "/help/analysis/",
    }.items():
        assert_fits_any_screen(page, address)
        save_screenshot(page, f"evidence-{name}")
