"""Every role signs in with the demo's codes and sees its home page, also with assistive settings."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from compliance.core.accounts.roles import ADMINISTERED_ROLES, Role
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_any_screen,
    assert_fits_its_width,
    save_screenshot,
    sign_in,
    sign_in_with_form,
)

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]


def test_each_signs_in_and_finds_what_waits(open_browser: OpenBrowser) -> None:
    page = open_browser()
    for role in Role:
        page.context.clear_cookies()
        sign_in_with_form(page, role.label)
        assert_finds_what_waits(page, role)


def assert_finds_what_waits(page: Page, role: Role) -> None:
    expect(page.get_by_role("contentinfo")).to_contain_text(f"{role.label}, signed in until")
    expect(page.get_by_role("heading", name="What waits for you")).to_be_visible()
    expect(page.get_by_role("region", name="Harbour Casino")).to_be_visible()
    is_administrator = role in ADMINISTERED_ROLES
    expect(page.get_by_role("navigation", name="Main").get_by_role("link", name="People")).to_have_count(
        1 if is_administrator else 0
    )
    assert_accessible(page)
    save_screenshot(page, f"home-{role.value}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_inspectors_menu_is_in_groups_and_on_a_phone_behind_a_tap(open_browser: OpenBrowser, scheme: str) -> None:
    page = open_browser(color_scheme=scheme, java_script_enabled=False)
    sign_in(page, "Inspector")
    page.goto("/")
    menu = page.get_by_role("navigation", name="Main")
    for width in (1280, 768):
        page.set_viewport_size({"width": width, "height": 900})
        for group, label in {"Now": "Alerts", "Records": "Disputes", "Evidence": "Ledger", "Rules": "Rulebook"}.items():
            link = menu.get_by_role("list", name=group).get_by_role("link", name=label)
            box = link.bounding_box()
            assert box is not None
            assert box["height"] >= 44
        assert_fits_its_width(page)
        save_screenshot(page, f"menu-{scheme}-{width}")
    page.set_viewport_size({"width": 320, "height": 900})
    expect(menu).to_be_hidden()
    save_screenshot(page, f"menu-closed-{scheme}-320")
    page.locator("summary", has_text="Menu").click()
    expect(menu).to_be_visible()
    assert_fits_its_width(page)
    save_screenshot(page, f"menu-{scheme}-320")
    menu.get_by_role("link", name="Findings").click()
    expect(page.locator("summary", has_text="Menu")).to_contain_text("Findings")


PAGES = ("/", "/casinos/harbour/people/", "/account/", "/status/", "/help/", "/help/ledger/", "/help/rulebook/")


def test_pages_fit_any_screen_and_both_colour_schemes(open_browser: OpenBrowser) -> None:
    page = open_browser()
    sign_in(page, "Administrator")
    for address in PAGES:
        assert_fits_any_screen(page, address)
