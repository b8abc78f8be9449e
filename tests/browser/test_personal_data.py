"""Personal data in a browser: an authority officer finds none, then reads, holds and destroys a record."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from compliance.core.accounts.models import Casino
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    reauthenticate,
    save_screenshot,
    sign_in,
)
from tests.compliance.privacy.personal_data.records import keep

pytestmark = pytest.mark.browser
PLACE = "/casinos/harbour/personal-data/"


def look_it_over(page: Page, name: str) -> None:
    assert_accessible(page)
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
    save_screenshot(page, f"personal-data-{name}")


def test_from_nothing_kept_to_destroyed(open_browser: Callable[..., Page]) -> None:
    page = open_browser()
    sign_in(page, "Authority officer")
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Personal data").click()
    page.get_by_role("link", name="Harbour Casino").click()
    expect(page.locator("main")).to_contain_text("No personal details are kept here yet.")
    look_it_over(page, "empty")

    kept = keep(Casino.objects.get(slug="harbour"), reference="D-2026-0012", now=timezone.now())
    page.reload()
    page.get_by_role("link", name=str(kept.pk), exact=True).click()
    expect(page.locator("main")).to_contain_text("Nobody has looked at the details.")
    expect(page.locator("body")).not_to_contain_text("Pat Example")
    page.get_by_role("link", name="Show the details").click()
    expect(page.get_by_role("button", name="Show the details")).to_be_visible()
    look_it_over(page, "why")
    page.get_by_role("button", name="Show the details").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose why you need to see them.")
    page.get_by_label("Inspection").check()
    page.get_by_role("button", name="Show the details").click()
    expect(page.locator("main")).to_contain_text("Pat Example")
    look_it_over(page, "details")
    page.get_by_role("link", name="Done").click()
    expect(page.get_by_role("table")).to_contain_text("Inspection")
    look_it_over(page, "record")

    page.get_by_role("link", name="Destroy the details").click()
    page.get_by_label("Reason").fill("Kept by mistake")
    reauthenticate(page)
    assert_accessible(page)
    page.get_by_role("button", name="Destroy the details").click()
    expect(page.locator("main")).to_contain_text("The details are gone.")
    for address in (PLACE, f"{PLACE}looks/", f"{PLACE}destroyed/", f"{PLACE}retention/", "/help/personal-data/"):
        page.goto(address)
        look_it_over(page, address.strip("/").replace("/", "-"))
    page.goto(f"{PLACE}{kept.pk}/hold/")
    look_it_over(page, "hold")
