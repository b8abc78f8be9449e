"""An inspector signs in through her organisation's provider for the first time, links it, and uses it afterwards."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from compliance.core.accounts.demo import CASINOS, PASSWORD
from compliance.core.accounts.sso.metadata import clear_cache
from tests.browser.conftest import windows
from tests.browser.user_actions import assert_accessible, reauthenticate, save_screenshot, sign_in
from tests.compliance.core.accounts.oidc_provider import PASSWORD as PASSWORD_THERE
from tests.compliance.core.accounts.sso_organisation import Organisation, running

pytestmark = pytest.mark.browser


@pytest.fixture
def organisation(tmp_path: Path, settings: Settings, site: str) -> Iterator[Organisation]:
    with running(tmp_path) as organisation:
        casinos = [slug for slug, _, _ in CASINOS]
        settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, casinos=casinos, second_factor_amr=["otp"])
        organisation.says(claims={"email": "inspector@demo.example", "amr": ["pwd", "otp"]})
        with sqlite3.connect(tmp_path / "provider.sqlite") as there:
            there.execute(
                "UPDATE oauth2_provider_application SET redirect_uris = ?, post_logout_redirect_uris = ?",
                [f"{site}/sign-in/by/inspectorate/back/", f"{site}/sign-in/"],
            )
        there.close()
        yield organisation
        clear_cache()


@pytest.fixture
def open_browser(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Tolerates status 403, which Chromium reports as an error."""
    with windows(browser, site, tolerated="403 (Forbidden)") as open_window:
        yield open_window


def go_there(page: Page) -> None:
    page.get_by_role("link", name="Sign in by the Inspectorate").click()
    page.get_by_label("Username").fill("ines")
    page.get_by_label("Password").fill(PASSWORD_THERE)
    page.get_by_role("button", name="Log in").click()


def test_there_and_back(open_browser: Callable[..., Page], organisation: Organisation) -> None:
    page = open_browser(ignore_https_errors=True)
    page.goto("/sign-in/")
    save_screenshot(page, "single-sign-on-door")
    go_there(page)
    expect(page.get_by_role("heading", name="Your sign-in is not linked yet")).to_be_visible()
    assert_accessible(page)
    save_screenshot(page, "single-sign-on-not-linked")
    page.get_by_role("link", name="Sign in and link").click()
    page.get_by_label("E-mail address").fill("inspector@demo.example")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    code = re.search(r"the code for this person is (\d{6})", page.locator("main").inner_text())
    assert code is not None
    page.get_by_label("Second-factor code").fill(code[1])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Link your account with the Inspectorate")).to_be_visible()
    save_screenshot(page, "single-sign-on-link")
    reauthenticate(page)
    page.get_by_role("button", name="Link").click()
    expect(page.get_by_text("From now on you can sign in by the Inspectorate.")).to_be_visible()
    page.goto("/account/")
    expect(page.get_by_text("Linked since")).to_be_visible()
    save_screenshot(page, "single-sign-on-account")
    administrator = open_browser()
    sign_in(administrator, "Government administrator")
    administrator.goto("/casinos/harbour/people/?q=inspector@demo")
    administrator.get_by_role("link", name="Inspector", exact=True).click()
    expect(administrator.get_by_text("Linked since")).to_be_visible()
    save_screenshot(administrator, "single-sign-on-person")
    page.get_by_role("button", name="Sign out").first.click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    save_screenshot(page, "single-sign-on-signed-out")
    page.get_by_role("link", name="Sign out at the Inspectorate as well").click()
    page.get_by_role("button").last.click()
    expect(page).to_have_title("Sign in – Fairthrow")

    # Linked, with the second factor given at the provider, she is signed in.
    go_there(page)
    expect(page.get_by_role("button", name="Sign out").first).to_be_visible()
    page.goto("/account/")
    expect(page.locator("main")).to_contain_text("inspector@demo.example")
