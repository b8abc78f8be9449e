"""Webhooks in a browser without JavaScript: registered, tested, switched off and on, deliveries listed."""

import re
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.notify.webhooks.delivery.worker import deliver_due
from rounds.ledger.signing.checkpoints import create_key_file
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    reauthenticate,
    save_screenshot,
    sign_in,
)
from tests.compliance.notify.webhooks.receiver import receiver

pytestmark = pytest.mark.browser
PLACE = "/casinos/harbour/webhooks/"


@pytest.fixture(autouse=True)
def key(settings: Settings, tmp_path: Path) -> None:
    settings.WEBHOOK_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.WEBHOOK_KEY_FILE = tmp_path / "webhook.key"
    create_key_file(settings.WEBHOOK_KEY_FILE)


def look_it_over(page: Page, name: str) -> None:
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
    save_screenshot(page, f"webhooks-{name}")


def seen_by_axe(with_scripts: Page, page: Page) -> None:
    """The same page in a window with JavaScript, where axe can run."""
    with_scripts.goto(page.url)
    assert_accessible(with_scripts)


def test_from_an_empty_list_to_a_message_taken_without_scripts(open_browser: Callable[..., Page]) -> None:
    page, checker = open_browser(java_script_enabled=False), open_browser()
    for window in (page, checker):
        sign_in(window, "Compliance officer")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Webhooks").click()
    if re.search(r"/webhooks/$", page.url) and PLACE not in page.url:
        page.get_by_role("link", name="Harbour Casino").click()
    expect(page.locator("main")).to_contain_text("No other system is told of what happens here.")
    seen_by_axe(checker, page)
    page.get_by_role("link", name="Register a webhook").click()
    seen_by_axe(checker, page)
    page.get_by_label("Which system is told?").fill("Case system")
    page.get_by_label("Address").fill("https://10.0.0.1/")
    page.get_by_label("A finding was recorded").check()
    reauthenticate(page)
    page.get_by_role("button", name="Register the webhook").click()
    expect(page.get_by_role("alert")).to_contain_text("not public")
    with receiver() as there:
        page.get_by_label("Address").fill(there.address)
        reauthenticate(page)
        page.get_by_role("button", name="Register the webhook").click()
        expect(page.locator("main")).to_contain_text("whpk_")
        seen_by_axe(checker, page)
        look_it_over(page, "endpoint-empty")
        page.get_by_role("button", name="Send a test").click()
        expect(page.locator("main")).to_contain_text("It was not tried yet.")
        seen_by_axe(checker, page)
        there.answers = [500]
        deliver_due(timezone.now)
        page.reload()
        expect(page.locator("main")).to_contain_text("It answered 500.")
        seen_by_axe(checker, page)
        look_it_over(page, "message")
        there.answers = [204]
        page.get_by_role("button", name="Send again").click()
        deliver_due(timezone.now)
        page.reload()
        expect(page.locator("main")).to_contain_text("It was taken.")
        assert len(set(there.ids)) == 1
    page.get_by_role("link", name="Case system").click()
    look_it_over(page, "endpoint")
    page.get_by_role("link", name="Switch off").click()
    seen_by_axe(checker, page)
    page.get_by_label("Reason").fill("It moves")
    reauthenticate(page)
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("link", name="Switch on")).to_be_visible()
    seen_by_axe(checker, page)
    for name, address in (("list", PLACE), ("help", "/help/webhooks/")):
        page.goto(address)
        look_it_over(page, name)
        seen_by_axe(checker, page)
