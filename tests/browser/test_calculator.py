"""The calculator on a tablet: by touch, by keyboard, and without JavaScript."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]

TABLET = {"width": 768, "height": 1024}
URL = "/casinos/harbour/calculator/"


def choose_rules(page: Page, label: str) -> None:
    page.get_by_role("combobox", name="Rules", exact=True).select_option(label=label)
    page.get_by_role("button", name="Use these rules").click()


def tap_dice(page: Page, *faces: int) -> None:
    for order, face in zip(("First die", "Second die", "Third die"), faces, strict=True):
        page.get_by_role("radiogroup", name=order).get_by_role("img", name=str(face)).tap()


def test_a_supervisor_taps_a_wager_and_prints_the_answer(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport=TABLET, has_touch=True)
    sign_in(page, "Casino supervisor")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Calculator").tap()
    page.get_by_role("link", name="Harbour Casino").tap()
    choose_rules(page, "Sic Bo (New South Wales) (nsw-sic-bo@1)")
    assert_small_things_are_large_enough(page)
    page.get_by_role("group", name="Whole bets").get_by_text("Even", exact=True).tap()
    tap_dice(page, 2, 4, 4)
    page.get_by_label("Stake", exact=True).fill("25")
    page.get_by_role("button", name="Work it out").tap()
    answer = page.get_by_role("region", name="Loses")
    expect(answer).to_contain_text("Depends on a reading")
    expect(page.get_by_role("table", name="If a clause is read otherwise")).to_contain_text("$50.00")
    assert_accessible(page)
    save_screenshot(page, "calculator-answer")
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
    page.emulate_media(media="print")
    expect(page.locator("form.calculator")).to_be_hidden()
    expect(page.locator("main")).to_contain_text(page.url)
    expect(page.get_by_text(page.url)).to_be_visible()
    save_screenshot(page, "calculator-print")


def assert_small_things_are_large_enough(page: Page) -> None:
    """Every box and face is at least 44 px in both directions."""
    for tile in page.locator(".tile").all():
        size = tile.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 44, tile.inner_text()


def test_a_super_streak_by_keyboard(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport=TABLET)
    sign_in(page, "Games supervisor")
    page.goto(f"{URL}?rules=shipped:nsw-sic-bo@1")
    page.locator('input[value="small"]').focus()
    # The arrow keys move through the boxes in layout order; up from the first goes to the last.
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    expect(page.locator('input[value="streak:small"]')).to_be_checked()
    page.get_by_label("Stake", exact=True).focus()
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Still running")).to_contain_text("Nothing is due yet")
    for number in range(4):
        page.locator("#id_next_1_1").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        page.get_by_role("button", name="Add this result").press("Enter")
        expect(page.get_by_role("listitem").filter(has_text="1-1-2")).to_have_count(number + 1)
    page.get_by_role("button", name="Remove result 4").press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="1-1-2")).to_have_count(3)
    expect(page.get_by_role("list").filter(has_text="3 in a row.")).to_be_visible()
    assert_accessible(page)
    save_screenshot(page, "calculator-streak")


def test_without_scripts_an_error_loses_nothing(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport=TABLET, java_script_enabled=False)
    sign_in(page, "Inspector")
    page.goto(URL)
    choose_rules(page, "Sic Bo (gaming licensee) (licensee-sic-bo@1)")
    page.get_by_role("group", name="Total Value Bet").get_by_text("4", exact=True).click()
    for place, face in enumerate((1, 1, 2), start=1):
        page.locator(f'label[for="id_dice_{place}_{face}"]').click()
    page.get_by_label("Stake", exact=True).fill("10")
    page.get_by_text("More that may matter").click()
    page.get_by_label("Odds posted at the table").fill("45 to 1")
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_role("alert")).to_contain_text("below the minimum of 50 to 1 in clause 4(b)")
    expect(page.get_by_label("Stake", exact=True)).to_have_value("10")
    page.get_by_label("Odds posted at the table").fill("60 to 1")
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_role("region", name="Wins")).to_contain_text("Hand back $610.00")
