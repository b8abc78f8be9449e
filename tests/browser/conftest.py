"""The system's Chromium against the real site, with the demo's people in it."""

import os
from collections.abc import Callable, Iterator

import pytest
from django.test.testcases import LiveServerThread, _StaticFilesHandler
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django import Settings

from compliance.accounts.demo import make_demo_people
from tests import chromium

EXECUTABLE = chromium.find()
if EXECUTABLE is None:
    collect_ignore_glob = ["test_*.py"]

# Playwright's synchronous interface runs an event loop in this thread; Django's ORM is safe beside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

TABLET = {"width": 1024, "height": 1366}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def site(transactional_db: None, settings: Settings) -> Iterator[str]:
    """The address of the running site, its database filled with the demo's casinos and people."""
    settings.EMAIL_BACKEND = "compliance.web.mailbox.MailboxBackend"
    make_demo_people(now=timezone.now())
    server = LiveServerThread("127.0.0.1", _StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    if server.error:
        raise server.error
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()


@pytest.fixture
def open_browser(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """A fresh browser window (its own cookies) that fails the test on any script error or refused resource."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_window(**options: object) -> Page:
        context = browser.new_context(base_url=site, viewport=TABLET, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert problems == []
