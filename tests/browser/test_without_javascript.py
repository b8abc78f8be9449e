"""Everything works without JavaScript."""

import base64
import re
from collections.abc import Callable

import pytest
from django_otp.oath import TOTP
from playwright.sync_api import Page, expect

from compliance.core.web.tasks import send_emails
from tests.browser.user_actions import reauthenticate, save_screenshot, sign_in_with_form

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]


def open_invite_form(page: Page, role: str = "Administrator") -> None:
    sign_in_with_form(page, role)
    page.goto("/casinos/harbour/people/")
    page.get_by_role("link", name="Invite somebody").click()


def test_an_invited_inspector_gets_in_with_a_second_factor(open_browser: OpenBrowser) -> None:
    page = open_browser(java_script_enabled=False)
    open_invite_form(page, "Government administrator")
    page.get_by_label("Name").fill("New Inspector")
    page.get_by_label("E-mail address").fill("new@harbour.example")
    page.get_by_label("Inspector", exact=True).check()
    reauthenticate(page)
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_role("table")).to_contain_text("new@harbour.example")
    send_emails()

    newcomer = open_browser(java_script_enabled=False)
    newcomer.goto("/demo/mailbox/")
    newcomer.get_by_role("link", name="Your invitation to Fairthrow").first.click()
    expect(newcomer.locator("main")).to_contain_text("/invitation/")
    link = re.search(r"/invitation/\S+", newcomer.locator("main").inner_text())
    assert link
    newcomer.goto(link[0])
    expect(newcomer.locator("main")).to_contain_text("Harbour Casino")
    newcomer.get_by_label("New password", exact=True).fill("three dice under a dome")
    newcomer.get_by_label("New password again").fill("three dice under a dome")
    newcomer.get_by_role("button", name="Accept").click()
    enrol_second_factor(newcomer)
    newcomer.goto("/")
    expect(newcomer.get_by_role("contentinfo")).to_contain_text("New Inspector, signed in until")


def enrol_second_factor(page: Page) -> None:
    """With the secret that the page shows as text, as an authenticator app would."""
    expect(page.get_by_role("img", name=re.compile("QR", re.IGNORECASE))).to_be_visible()
    save_screenshot(page, "enrolment")
    secret = re.search(r"\b(?:[A-Z2-7]{4} ?){8}\b", page.locator("main").inner_text())
    assert secret, page.locator("main").inner_text()
    totp = TOTP(base64.b32decode(secret[0].replace(" ", "")))
    page.get_by_label("Code").fill(f"{totp.token():06}")
    page.get_by_role("button", name="Set up").click()
    expect(page.locator("main")).to_contain_text("Recovery codes")


def test_an_error_is_summed_up_on_top_and_loses_nothing(open_browser: OpenBrowser) -> None:
    page = open_browser(java_script_enabled=False)
    open_invite_form(page)
    page.get_by_label("Name").fill("Half a Form")
    page.get_by_role("button", name="Send invitation").click()
    expect(page).to_have_title(re.compile(r"^Error: Invite somebody"))
    summary = page.get_by_role("alert")
    expect(summary).to_contain_text("Choose a role.")
    expect(page.get_by_label("Name")).to_have_value("Half a Form")
    save_screenshot(page, "error-summary")
