"""The kit in the system's Chromium: accessible in every dress, focus where it belongs, warned before the time-out."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.test.testcases import LiveServerThread, _StaticFilesHandler
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests import chromium
from tests.compliance.web.people import mo, signed_in

# Playwright's synchronous interface runs an event loop in this thread; Django's ORM is safe beside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.compliance.web.gallery"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The gallery behind a real port. Each request has its own database connection, as in the service."""
    server = LiveServerThread("127.0.0.1", _StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    assert server.error is None
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()


def is_problem(message: ConsoleMessage) -> bool:
    """A refusal that a test asked for is reported by the browser as well; everything else is a fault of ours."""
    return message.type == "error" and "409" not in message.text


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A tablet. Whatever the policy refuses or a script throws fails the test."""
    problems: list[str] = []
    window = browser.new_page(base_url=site, viewport={"width": 768, "height": 1024})
    window.on("pageerror", lambda error: problems.append(str(error)))
    window.on("console", lambda message: problems.append(message.text) if is_problem(message) else None)
    yield window
    window.context.close()
    assert problems == []


def assert_accessible(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()


def assert_nothing_sticks_out(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("dress", ["light", "dark"])
@pytest.mark.parametrize("address", ["/components/?verdict=win", "/form/", "/help/production/", "/help/errors/"])
def test_pages_are_accessible_from_phone_to_desktop(page: Page, address: str, dress: Any) -> None:
    page.emulate_media(color_scheme=dress)
    page.goto(address)
    assert_accessible(page)
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert_nothing_sticks_out(page)


@pytest.mark.parametrize("dress", ["light", "dark"])
def test_a_form_that_comes_back_puts_the_focus_on_its_errors(page: Page, dress: Any) -> None:
    page.emulate_media(color_scheme=dress)
    page.goto("/form/")
    page.get_by_label("Table", exact=True).fill("SB-04")
    page.get_by_role("button", name="Publish the notice").click()
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    assert_accessible(page)
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
    expect(page.get_by_role("heading", level=1)).to_have_text("Somebody else changed this first")
