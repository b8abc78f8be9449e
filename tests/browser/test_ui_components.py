"""The UI components in Chromium: accessible in every theme, focus in the right place, a warning before the time-out."""

from collections.abc import Iterator
from typing import Literal

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import serving, windows
from tests.browser.user_actions import assert_accessible, assert_fits_its_width
from tests.compliance.core.web.people import mo, signed_in

DRESSES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
pytestmark = [pytest.mark.browser, pytest.mark.urls("tests.compliance.core.web.component_gallery")]


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The component gallery: a small site made of the components only."""
    with serving() as address:
        yield address


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A small tablet. Tolerates the console errors of refusals that a test provokes."""
    with windows(browser, site, tolerated="409") as open_window:
        yield open_window(viewport={"width": 768, "height": 1024})


def assert_accessible_in_both_dresses(page: Page) -> None:
    for dress in DRESSES:
        page.emulate_media(color_scheme=dress)
        assert_accessible(page)


def test_pages_are_accessible_from_phone_to_desktop(page: Page) -> None:
    for address in ("/components/?verdict=win", "/form/", "/help/production/", "/help/errors/"):
        page.goto(address)
        assert_accessible_in_both_dresses(page)
        for width in (320, 768, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert_fits_its_width(page)


def test_a_text_too_faint_to_read_is_found_each_time(page: Page) -> None:
    """Looks that were judged once are not judged again; one that was found wanting is."""
    page.goto("/form/")
    assert_accessible(page)
    page.get_by_role("heading", level=1).evaluate("heading => { heading.style.color = '#bbb' }")
    for _ in range(2):
        with pytest.raises(AssertionError, match="color-contrast"):
            assert_accessible(page)


def test_a_form_that_comes_back_puts_the_focus_on_its_errors(page: Page) -> None:
    page.goto("/form/")
    page.get_by_label("Table", exact=True).fill("SB-04")
    page.get_by_role("button", name="Publish the notice").click()
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    assert_accessible_in_both_dresses(page)
    summary.get_by_role("link", name="Reason: Choose one.").click()
    expect(page.get_by_label("Demand")).to_be_focused()
    expect(page).to_have_title("Error: Change a limit – Fairthrow")


def test_a_form_is_sent_once_however_often_the_button_is_pressed(page: Page) -> None:
    page.goto("/form/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.evaluate("const form = document.querySelector('form.form'); form.requestSubmit(); form.requestSubmit()")
    expect(page).to_have_title("Error: Change a limit – Fairthrow")
    assert len(sent) == 1


def test_targets_are_large_enough_for_a_thumb(page: Page) -> None:
    page.goto("/components/?count=120")
    controls = page.locator("button:visible, nav a:visible, .pagination a:visible, .sort:visible, summary:visible")
    heights = [(box or {"height": 0})["height"] for box in (it.bounding_box() for it in controls.all())]
    assert len(heights) >= 9
    assert min(heights) >= 44
    page.goto("/form/")
    choices = [(box or {"height": 0})["height"] for box in (it.bounding_box() for it in page.locator(".choice").all())]
    assert min(choices) >= 44


def enter(page: Page, site: str) -> None:
    client = signed_in(Client(), mo())
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])


def test_a_person_is_warned_two_minutes_before_the_time_out_and_can_stay(page: Page, site: str) -> None:
    enter(page, site)
    page.clock.install()
    page.goto("/members/")
    warning = page.get_by_role("dialog", name="You will be signed out soon")
    page.clock.run_for(27 * 60_000)
    expect(warning).to_be_hidden()
    page.clock.run_for(62_000)
    expect(warning).to_be_visible()
    expect(warning).to_contain_text("signed out in 2 minutes")
    assert_accessible(page)
    page.get_by_role("button", name="Stay signed in").click()
    expect(warning).to_be_hidden()


def test_whoever_does_not_answer_is_taken_to_the_sign_in_page(page: Page, site: str) -> None:
    enter(page, site)
    page.clock.install()
    page.goto("/members/")
    page.route("**/", lambda route: route.fulfill(body="<title>Out</title>", content_type="text/html"))
    page.clock.run_for(31 * 60_000)
    expect(page).to_have_title("Out")


def test_an_error_of_a_partial_request_is_shown_in_place_of_the_page(page: Page) -> None:
    page.goto("/components/")
    page.evaluate(
        "const link = document.createElement('a'); link.id = 'part'; link.textContent = 'Part';"
        "link.setAttribute('hx-get', '/raises/409/'); document.querySelector('main').append(link); htmx.process(link)"
    )
    with page.expect_console_message(lambda message: "409" in message.text):
        page.locator("#part").click()
    expect(page.get_by_role("heading", name="Somebody else changed this first")).to_be_visible()
    expect(page.get_by_role("heading", name="Gallery")).to_be_hidden()
