"""An idle session is ended by the server, also with the page left open."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from tests.browser.user_actions import sign_in

pytestmark = pytest.mark.browser


def test_a_page_left_open_does_not_keep_its_session_alive(
    open_browser: Callable[..., Page], settings: Settings
) -> None:
    settings.SESSION_IDLE_SECONDS = 2
    page = open_browser()
    sign_in(page, "Marketing")
    page.goto("/")
    expect(page).to_have_title("Sign in – Fairthrow", timeout=15_000)
    page.goto("/account/")
    expect(page).to_have_title("Sign in – Fairthrow")
