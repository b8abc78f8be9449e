"""Actions and checks of a person at the browser."""

import os
import re
from pathlib import Path
from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from django.conf import settings
from playwright.sync_api import Page, expect

from compliance.config.environment import PROJECT
from compliance.core.accounts.demo import PASSWORD, demo_email
from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from tests.compliance.core.accounts.people import browser_of

PICTURES = PROJECT / ".data" / "pictures"
SCREENS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((320, "light"), (1280, "light"), (768, "dark"))
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations", "incomplete"],  # without "passes", a megabyte a page
}
ACCESSIBLE = (Path(__file__).parent / "accessible.js").read_text()
# Text styles whose contrast was already found sufficient, on any page.
looks_judged: set[str] = set()


def sign_in(page: Page, role: str) -> None:
    """Gives the browser a session with second factor, without opening a page: signing in has its own tests."""
    person = User.objects.get(email=demo_email(next(it for it in Role if it.label == role)))
    session = browser_of(person).cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "domain": "127.0.0.1", "path": "/"}]
    )


def sign_in_with_form(page: Page, role: str) -> None:
    """As a newcomer to the demo: chooses a person and reads the current code off the page."""
    page.goto("/sign-in/")
    page.get_by_role("link", name=role, exact=True).click()
    expect(page).to_have_url(re.compile(r"\?as="))
    page.get_by_role("button", name="Sign in").click()
    expect(page).not_to_have_url(re.compile(r"/sign-in/(\?.*)?$"))
    page.wait_for_load_state()
    code = re.search(r"the code for this person is (\d{6})", page.locator("main").inner_text())
    if code:
        page.get_by_label("Code").fill(code[1])
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Sign out").first).to_be_visible()


def reauthenticate(page: Page) -> None:
    """Enters the password and the code that the demo shows beside the field."""
    expect(page.get_by_label("Your password")).to_be_visible()
    page.wait_for_load_state()
    shown = re.search(r"Demo: .*?(\d{6})", page.locator("main").inner_text())
    assert shown, page.url
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("Second-factor code").fill(shown[1])


def confirm_warning(page: Page) -> None:
    """Gives a reason for what the page warns of, and submits the form again. It asks for no second signature."""
    _give_reason(page, "The audit would report", "Record anyway")


def confirm_doubt(page: Page) -> None:
    """As confirm_warning, where the page only doubts the input and the audit would report nothing."""
    _give_reason(page, "Please check what you entered", "It is right: record it")


def _give_reason(page: Page, heading: str, button: str) -> None:
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Reason for recording it all the same").fill("It happened like this.")
    expect(page.get_by_label("Your password")).to_have_count(0)
    page.get_by_role("button", name=button).click()


def assert_accessible(page: Page) -> None:
    page.wait_for_load_state()
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate(ACCESSIBLE, [RULES, list(looks_judged)])
    assert found["violations"] == [], f"{page.url}\n{AxeResults(found).generate_report()}"
    looks_judged.update(found["judged"])


def assert_fits_its_width(page: Page) -> None:
    """No horizontal overflow; wide tables scroll inside their own box."""
    page.wait_for_load_state()
    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert excess <= 0, f"{page.url} is {excess} px too wide"


def assert_fits_any_screen(page: Page, address: str) -> None:
    """Opened once, then checked at a phone's, a tablet's (dark) and a desktop's size."""
    page.goto(address)
    for width, scheme in SCREENS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert_fits_its_width(page)
    assert_accessible(page)


def save_screenshot(page: Page, name: str) -> None:
    """For people, so only on request: PICTURES=1 make test."""
    if os.environ.get("PICTURES"):
        page.wait_for_load_state()
        page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
