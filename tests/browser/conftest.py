"""Fixtures: the system's Chromium against the real site, filled with the demo's people."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from django.test.testcases import LiveServerThread, _StaticFilesHandler
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright
from pytest_django import Settings

from compliance.core.accounts.demo import make_demo_people
from rounds.floor.demo import make_demo_floors
from rounds.rulebook.versions.demo import make_demo_rules
from tests import chromium
from tests.fixture_snapshots import snapshotted

EXECUTABLE = chromium.find_chromium()
if EXECUTABLE is None:
    collect_ignore_glob = ["test_*.py"]

# Playwright's synchronous API runs an event loop in this thread; using Django's ORM beside it is safe.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# The default of five seconds is too short on a busy machine; an assertion that holds does not wait.
expect.set_options(timeout=30_000)

HERE = Path(__file__).parent
TABLET = {"width": 1024, "height": 1366}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Allows one retry, because a browser on a busy machine may time out. Retries are listed in the run's summary."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def serving() -> Iterator[str]:
    """The site on a real port. Each request has its own database connection, as in the service."""
    server = LiveServerThread("127.0.0.1", _StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    assert server.error is None
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()


@contextmanager
def windows(browser: Browser, site: str, tolerated: str = "nothing") -> Iterator[Callable[..., Page]]:
    """Opens windows with separate cookies. A script error or CSP violation fails the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        # Errors of other sites' pages are ignored.
        is_ours = message.location["url"].startswith(site) or not message.location["url"]
        if message.type == "error" and is_ours and tolerated not in message.text:
            problems.append(f"{message.text} ({message.location['url']})")

    def open_window(**options: Any) -> Page:
        context = browser.new_context(base_url=site, **({"viewport": TABLET} | options))
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", note)
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert problems == []


@snapshotted
def demo_people() -> None:
    make_demo_people(now=timezone.now())


@snapshotted
def demo_floors() -> None:
    """Rules and tables too. The controllers' keys are not saved, because no test needs them."""
    now = timezone.now()
    make_demo_people(now=now)
    make_demo_rules(began_at=now - timedelta(days=60))
    with tempfile.TemporaryDirectory() as folder, override_settings(DATA_DIR=Path(folder)):
        make_demo_floors(now)


@pytest.fixture
def world() -> Callable[[], None]:
    """Hook: fills the database before a test; test files that need more override it."""
    return demo_people


@pytest.fixture
def site(transactional_db: None, settings: Settings, world: Callable[[], None]) -> Iterator[str]:
    """URL of the running site, its database filled with the demo's casinos and people."""
    settings.EMAIL_BACKEND = "compliance.core.web.mail.demo_mailbox.MailboxBackend"
    # The service's hasher is slow on purpose, at each user and each re-authentication.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    world()
    with serving() as address:
        yield address


@pytest.fixture
def open_browser(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    with windows(browser, site) as open_window:
        yield open_window
