"""An authority officer edits the odds of a wager: an error is shown beside the text, a valid value updates the edge."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import windows
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
PROPOSE = "/casinos/harbour/rulebook/propose/"


def change(page: Page, old: str, new: str) -> None:
    """Found with the page's search, which selects it; then typed over."""
    page.get_by_label("Find in the text").fill(old)
    page.keyboard.press("Enter")
    expect(page.locator("[data-found]")).to_have_text("1 of 1")
    page.keyboard.insert_text(new)


def test_a_wrong_odd_is_told_and_a_right_one_moves_the_edge(
    open_browser: OpenBrowser, browser: Browser, site: str
) -> None:
    first = page = open_browser()
    sign_in(page, "Authority officer")
    page.goto(PROPOSE)
    page.get_by_role("link", name="Edit the rules").click()
    page.get_by_label("Begin from").select_option(label="Sic Bo (New South Wales)")
    save_screenshot(page, "editing-begin")
    page.get_by_role("button", name="Begin").click()
    expect(edges_on(page)).to_contain_text("16.20 %")
    save_screenshot(page, "editing-begun")

    a_wrong_odd_is_told(page)
    a_right_one_moves_the_edge(page)
    with windows(browser, site, tolerated="") as open_window:
        page = open_window()
        what_is_typed_without_a_connection_is_sent_later(page)
        two_windows_do_not_write_over_one_another(first, page)
    a_text_is_given_up_only_after_a_page_that_asks(first)


def edges_on(page: Page) -> Locator:
    return page.get_by_role("table", name="House edges", exact=True)


def a_wrong_odd_is_told(page: Page) -> None:
    text = page.get_by_label("The rules as text")
    change(page, '"180 to 1"', '"180 for 1"')
    fault = page.get_by_role("listitem").filter(has_text="Pay table 1, row triple, odds")
    expect(fault).to_contain_text("Line 134")
    expect(fault).to_contain_text('such as "8.5 to 1"')
    expect(page.locator(".editor-wrong")).to_have_text("134")
    expect(page.locator("#results")).to_contain_text("Worked out without wager triple")
    assert_accessible(page)
    save_screenshot(page, "editing-fault")
    text.evaluate("it => it.setSelectionRange(0, 0)")
    fault.get_by_role("link", name="Line 134").click()
    assert "180 for 1" in text.evaluate("it => it.value.slice(it.selectionStart, it.selectionEnd)")


def a_right_one_moves_the_edge(page: Page) -> None:
    edges = edges_on(page)
    change(page, '"180 for 1"', '"200 to 1"')
    expect(page.get_by_role("heading", name="No faults")).to_be_visible()
    expect(edges).to_contain_text("6.94 %")
    expect(edges.get_by_role("row").filter(has_text="triple:1")).to_contain_text("16.20 %")
    expect(page.locator("#edit-state")).to_contain_text(re.compile("^Kept .* No faults.$"))
    expect(page.locator("#changed-text summary")).to_have_text("Text: 2 lines changed")
    page.locator("#changed-text summary").click()
    expect(page.locator("#changed-text .changed-gone")).to_contain_text('"180 to 1"')
    expect(page.locator("#changed-text .changed-new")).to_contain_text('"200 to 1"')
    pays = page.get_by_role("table", name="Pay table 1: results that pay otherwise").get_by_role("row")
    expect(pays.filter(has_text="triple:1")).to_contain_text("180 to 1")
    expect(pays.filter(has_text="triple:1")).to_contain_text("200 to 1")
    for width in (320, 1280, 1024):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
    assert_accessible(page)
    save_screenshot(page, "editing-changed")


def what_is_typed_without_a_connection_is_sent_later(page: Page) -> None:
    """Offline, the text stays on the device; it is sent when the connection is back. Both are logged to the console."""
    sign_in(page, "Authority officer")
    page.goto(f"{PROPOSE}edit/")
    page.context.set_offline(True)
    change(page, '"200 to 1"', '"190 to 1"')
    expect(page.locator("#edit-state")).to_contain_text("kept on this device")
    page.context.set_offline(False)
    expect(edges_on(page)).to_contain_text("11.57 %")
    page.reload()
    expect(page.get_by_label("The rules as text")).to_have_value(re.compile('"190 to 1"'))


def two_windows_do_not_write_over_one_another(first: Page, page: Page) -> None:
    """The first window does not know of the second: its input is not saved."""
    change(first, '"200 to 1"', '"170 to 1"')
    expect(first.get_by_role("alert")).to_contain_text("Changed in another window.")
    expect(first.locator("#edit-state")).to_contain_text("Not kept: the text was changed in another window.")
    expect(first.locator("#between .changed-gone")).to_contain_text('"190 to 1"')
    save_screenshot(first, "editing-conflict")
    page.reload()
    expect(page.get_by_label("The rules as text")).to_have_value(re.compile('"190 to 1"'))
    first.get_by_role("button", name="Take the other text").click()
    expect(first.locator("main")).to_contain_text("This is the text of the other window.")
    expect(first.get_by_label("The rules as text")).to_have_value(re.compile('"190 to 1"'))
    page.get_by_role("button", name="Save and continue").click()
    expect(page.locator("main")).to_contain_text("Your proposal has the rules as you edited them.")
    save_screenshot(page, "editing-proposal")


def a_text_is_given_up_only_after_a_page_that_asks(page: Page) -> None:
    """Cancelling keeps the text."""
    ask_to_give_up(page)
    assert_accessible(page)
    save_screenshot(page, "editing-give-up")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_label("The rules as text")).to_have_value(re.compile('"190 to 1"'))
    ask_to_give_up(page)
    page.get_by_role("button", name="Give it up").click()
    expect(page.locator("main")).to_contain_text("The edited text is gone.")


def ask_to_give_up(page: Page) -> None:
    page.locator("#other-acts summary").click()
    page.get_by_role("button", name="Give this text up").click()
    expect(page.get_by_role("heading", name="Give this text up")).to_be_visible()
