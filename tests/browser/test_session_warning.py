"""A person who does nothing is warned two minutes before being signed out, and can stay."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from tests.browser.people import assert_accessible, sign_in

pytestmark = pytest.mark.browser


def test_the_warning_comes_in_time_and_staying_keeps_the_session(
    open_browser: Callable[..., Page], settings: Settings
) -> None:
    settings.SESSION_IDLE_SECONDS = 124
    page = open_browser()
    sign_in(page, "Marketing")
    warning = page.get_by_role("dialog")
    expect(warning).to_be_hidden()
    expect(warning).to_be_visible(timeout=10_000)
    assert_accessible(page)
    page.get_by_role("button", name="Stay signed in").click()
    expect(warning).to_be_hidden()
    page.goto("/account/")
    expect(page.get_by_role("button", name="Sign out").first).to_be_visible()


def test_nobody_stays_signed_in_by_doing_nothing(open_browser: Callable[..., Page], settings: Settings) -> None:
    settings.SESSION_IDLE_SECONDS = 2
    page = open_browser()
    sign_in(page, "Marketing")
    page.wait_for_timeout(2500)
    page.goto("/account/")
    expect(page).to_have_title("Sign in – Fairthrow")
