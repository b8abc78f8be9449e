"""An inspector opens a fairness signal and marks it as reviewed; every fairness page at three widths."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from compliance.core.accounts.models import Casino
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in
from tests.compliance.analysis.fairness.dice_play import signal_by_hand

pytestmark = pytest.mark.browser


def test_an_inspector_looks_at_a_signal(site: str, open_browser: Callable[..., Page]) -> None:
    signal = signal_by_hand(Casino.objects.get(slug="harbour"), timezone.now())
    page = open_browser()
    sign_in(page, "Inspector")
    for address in ("/casinos/harbour/fairness/", "/casinos/harbour/fairness/signals/", "/help/fairness/"):
        page.goto(address)
        assert_accessible(page)
        page.set_viewport_size({"width": 320, "height": 900})
        assert_fits_its_width(page)
        page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(signal.get_absolute_url())
    expect(page.get_by_text("Nothing is proved.")).to_be_visible()
    assert page.locator("figure.chart img").evaluate("image => image.naturalWidth") > 0
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_fits_its_width(page)
    assert_accessible(page)
    save_screenshot(page, "signal")
    page.get_by_role("link", name="Mark as looked at").click()
    assert_accessible(page)
    page.get_by_label("What you made of it").fill("Taken away to be measured.")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.get_by_text("Taken away to be measured.", exact=True)).to_be_visible()
