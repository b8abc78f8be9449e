"""Two people adopt rules: the compliance officer proposes and the inspector approves, each after a mistake."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from compliance.core.accounts.demo import PASSWORD
from rounds.rulepacks import PACK_FOLDER
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    confirm_doubt,
    reauthenticate,
    save_screenshot,
    sign_in,
)

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
RULEBOOK = "/casinos/harbour/rulebook/"


def looked_at(page: Page, name: str) -> None:
    """At the widths of a tablet, a phone and a desktop; checked by axe, with a screenshot for people."""
    for width in (320, 1280, 768):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
    assert_accessible(page)
    save_screenshot(page, name)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save and continue").click()


def propose(page: Page, tmp_path: Path) -> None:
    page.goto(RULEBOOK)
    page.get_by_role("link", name="Propose a version").click()
    page.get_by_role("link", name="Choose the rules").click()
    page.get_by_label("A rule pack of your own").check()
    broken = tmp_path / "mine.toml"
    broken.write_bytes(
        (PACK_FOLDER / "nsw-sic-bo.toml").read_bytes().replace(b'wins_by = "3.1.1.1"', b'wins_by = "9.99"')
    )
    page.get_by_label("Your own rule pack").set_input_files(broken)
    save(page)
    expect(page.get_by_role("alert")).to_contain_text("law.wager.small.wins_by: found clause '9.99'")
    expect(page.get_by_label("A rule pack of your own")).to_be_checked()
    looked_at(page, "rulebook-bad-pack")
    page.get_by_label("Sic Bo (New South Wales), version 1").check()
    save(page)
    page.get_by_role("link", name="Upload the source document").click()
    printed = tmp_path / "rules.txt"
    printed.write_text("The rules, as printed.\n")
    page.get_by_label("Source document").set_input_files(printed)
    save(page)
    page.get_by_role("link", name="Choose how ambiguous clauses are read").click()
    expect(page.get_by_role("group", name=re.compile("^even"))).to_be_visible()
    save(page)
    looked_at(page, "rulebook-propose")
    page.get_by_role("link", name="Check and propose").click()
    expect(page.locator("main")).to_contain_text("rules.txt")
    page.get_by_role("button", name="Propose this version").click()
    expect(page.locator("main")).to_contain_text("Proposed, reference harbour/nsw-sic-bo/1")


def approve(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Approve Sic Bo (New South Wales), version 1").click()
    page.get_by_label("Effective from").fill("2026-06-01T06:00")
    page.get_by_label("Why these house edges are accepted").fill("Not adopted; a ruling would have to come first.")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("Second-factor code").fill("000000")
    page.get_by_role("button", name="Approve version").click()
    expect(page).to_have_title(re.compile("^Error: Approve"))
    expect(page.get_by_role("alert")).to_contain_text("Say what shows that the rules apply from then on.")
    expect(page.get_by_label("Why these house edges are accepted")).to_have_value(re.compile("^Not adopted"))
    looked_at(page, "rulebook-approve")
    page.get_by_label("Evidence for that instant").fill("Gazette of 29 May 2026.")
    reauthenticate(page)
    page.get_by_role("button", name="Approve version").click()
    expect(page.get_by_text("is in the past: rounds played since then are judged again.")).to_be_visible()
    confirm_doubt(page)
    expect(page.locator("main")).to_contain_text("Approved, reference harbour/nsw-sic-bo/1")


def test_two_people_adopt_rules_and_patrons_read_them(open_browser: OpenBrowser, tmp_path: Path) -> None:
    officer = open_browser()
    sign_in(officer, "Compliance officer")
    propose(officer, tmp_path)
    expect(officer.get_by_role("link", name="Approve", exact=True)).to_have_count(0)
    inspector = open_browser()
    sign_in(inspector, "Inspector")
    approve(inspector)
    expect(inspector.locator("main")).to_contain_text("In force")
    looked_at(inspector, "rulebook-version")
    inspector.goto(RULEBOOK)
    expect(inspector.get_by_role("table", name="In force now")).to_contain_text("1 Jun 2026, 6:00 am AEST")
    looked_at(inspector, "rulebook-home")
    inspector.goto(f"{RULEBOOK}nsw-sic-bo/1/truth/?bet=even")
    looked_at(inspector, "rulebook-truth")

    patron = open_browser()
    patron.goto("/rules/harbour/nsw-sic-bo/")
    expect(patron).to_have_url(re.compile("/rules/harbour/nsw-sic-bo/1/$"))
    expect(patron.locator("main")).to_contain_text("The games supervisor decides first")
    looked_at(patron, "rules-for-patrons")
    with patron.expect_download() as download:
        patron.get_by_role("link", name="rules.txt").click()
    assert Path(download.value.path()).read_text() == "The rules, as printed.\n"
