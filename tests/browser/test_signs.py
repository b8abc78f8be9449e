"""A minimum is raised with the sign on a second screen; that screen fails; a table with a running streak is closed."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.limit_notices.services import advance_notices
from compliance.tables.limit_notices.states import NoticeState
from compliance.tables.signs.models import Refresh
from compliance.tables.signs.selectors import clock_of
from compliance.tables.signs.services import record_lost_signs, refresh_display
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.writing.append import append, make_entry
from rounds.transparency_log.formats.leaf import encode_timestamp
from tests.browser.conftest import demo_floors, windows
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
MINUTE = timedelta(minutes=1)
TABLE = "/casinos/harbour/signs/tables/sb-1/"


@pytest.fixture
def world() -> Callable[[], None]:
    return demo_floors


@pytest.fixture
def table(site: str, settings: Settings, tmp_path: Path) -> Table:
    """The demo's Sic Bo 1: NSW rules, 10 to 1,000 dollars, Super Streak offered."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.DATA_DIR = tmp_path
    create_key_file(settings.LEDGER_KEY_FILE)
    return Table.objects.select_related("casino").get(slug="sb-1")


def set_up_display(page: Page) -> str:
    """Returns the display's link, which is shown once."""
    page.goto(TABLE)
    page.get_by_role("link", name="Set up a display").click()
    page.get_by_label("Name of the display").fill("Screen left of the dealer")
    page.get_by_role("button", name="Set up").click()
    return page.locator("a.copyable").inner_text()


def look_at(page: Page, name: str) -> None:
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
        save_screenshot(page, f"{name}-{width}")
    assert_accessible(page)


def test_a_minimum_is_raised_with_the_sign_on_a_second_screen(
    browser: Browser, site: str, open_browser: OpenBrowser, table: Table
) -> None:
    page = open_browser()
    sign_in(page, "Games supervisor")
    link = set_up_display(page)
    with windows(browser, site, tolerated="Failed to load resource") as open_window:
        screen = open_window(viewport={"width": 1280, "height": 800})
        screen.goto(link)
        expect(screen.get_by_text("$1,000")).to_be_visible()
        save_screenshot(screen, "sign-standing-limits")
        page.get_by_role("link", name="Back to Sic Bo 1").click()
        page.get_by_role("link", name="Change the limits").click()
        expect(page.get_by_text("If the sign goes up now, the earliest possible time is").first).to_be_visible()
        look_at(page, "limits-change")
        page.get_by_label("Minimum", exact=True).fill("25")
        page.get_by_role("button", name="Schedule the change").click()
        expect(page.get_by_text("Put the sign up now").first).to_be_visible()
        expect(page.get_by_text("Not up yet")).to_be_visible()
        # The screen polls for it and reports it, without interaction.
        expect(screen.get_by_text("New minimum")).to_be_visible(timeout=30_000)
        expect(screen.get_by_text("minutes")).to_be_visible()
        save_screenshot(screen, "sign-new-minimum")
        assert_accessible(screen)
        notice = LimitNotice.objects.with_related().get()
        sign = notice.sign
        assert sign is not None
        _wait_until(lambda: clock_of(sign, timezone.now()).is_up)
        page.goto(TABLE)
        expect(page.get_by_text("Up since")).to_be_visible()
        look_at(page, "signs-table")
        page.goto("/casinos/harbour/signs/")
        expect(page.get_by_text("Showing").first).to_be_visible()
        look_at(page, "signs-board")
        _lose_the_network(screen)
        _lose_the_network_without_javascript(open_window(java_script_enabled=False))
    _killed_at_minute_twelve(page, notice)
    _in_force_after_all(page, table, notice)


def test_limits_by_type_of_wager_are_stated_and_shown(site: str, open_browser: OpenBrowser, table: Table) -> None:
    """Lower maximums on seven types, which take effect at once, on a form whose other fields stay folded away."""
    page = open_browser()
    sign_in(page, "Games supervisor")
    page.goto("/casinos/harbour/notices/tables/sb-1/change/")
    summary = page.get_by_text("Other limits for some types of wager")
    expect(page.get_by_label("Any Triple, maximum")).to_be_hidden()
    summary.press("Enter")
    look_at(page, "limits-by-type")
    types = (
        "Small",
        "Big",
        "Any Triple",
        "Specific Triples",
        "Specific Doubles",
        "Dice Combinations",
        "Single Die Bet",
    )
    for place, name in enumerate(types, start=1):
        page.get_by_label(f"{name}, maximum").fill(str(100 * place))
    page.get_by_role("button", name="Schedule the change").click()
    expect(page.get_by_text("the new limits are in force").first).to_be_visible()
    limits = facts_at(table, timezone.now()).get(LimitsValue)
    assert limits is not None
    assert (limits.maximum_for("triple:any"), limits.maximum_for("total:9")) == (30_000, limits.max)
    page.goto("/casinos/harbour/tables/sb-1/sign/")
    for name in types:
        expect(page.get_by_text(name, exact=True)).to_be_visible()
    look_at(page, "sign-by-type")
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollHeight - document.documentElement.clientHeight") <= 0


def _wait_until(is_so: Callable[[], bool]) -> None:
    """Half a minute, which is three refreshes of a display."""
    end = monotonic() + 30
    while not is_so():
        assert monotonic() < end
        sleep(0.1)


def _lose_the_network(screen: Page) -> None:
    """The sign stays readable, shows when it was last confirmed, and stops counting."""
    screen.context.set_offline(True)
    expect(screen.get_by_text("Last confirmed")).to_be_visible(timeout=30_000)
    expect(screen.get_by_text("Time left")).to_be_hidden()
    expect(screen.get_by_text("New minimum")).to_be_visible()
    save_screenshot(screen, "sign-last-confirmed")


def _lose_the_network_without_javascript(screen: Page) -> None:
    """A page that is not refreshed says so after 45 seconds (at once here), and no cached page replaces it."""
    screen.goto("/casinos/harbour/tables/sb-1/sign/")
    expect(screen.locator(".confirmed noscript")).to_be_visible()
    expect(screen.get_by_text("Time left")).to_be_visible()
    ends = "document.getAnimations().map(one => { one.finish(); return one.effect.getTiming().delay })"
    assert set(screen.evaluate(ends)) == {45_000}
    expect(screen.get_by_text("Last confirmed")).to_be_visible()
    expect(screen.get_by_text("Time left")).to_be_hidden()
    expect(screen.get_by_text("New minimum")).to_be_visible()
    save_screenshot(screen, "sign-last-confirmed-without-javascript")
    screen.context.set_offline(True)
    expect(screen.get_by_text("New minimum")).to_have_count(0, timeout=30_000)


def _killed_at_minute_twelve(page: Page, notice: LimitNotice) -> None:
    """Its browser is gone; the twelve minutes before are recorded as the display would have reported them."""
    assert notice.sign is not None
    display = Refresh.objects.latest("at").display
    last = Refresh.objects.latest("at").at
    for seconds in range(10, 12 * 60 + 1, 10):
        refresh_display(display=display, shown=[notice.sign.name], now=last + timedelta(seconds=seconds))
    killed_at = last + 12 * MINUTE
    with time_machine.travel(killed_at + MINUTE, tick=True):
        record_lost_signs(now=killed_at + MINUTE)
        advance_notices(now=killed_at + MINUTE)
    notice = LimitNotice.objects.with_related().get(pk=notice.pk)
    assert notice.state == NoticeState.SCHEDULED
    assert notice.sign is not None
    [showing] = notice.sign.showings.all()
    assert (showing.until_at, showing.was_lost) == (killed_at, True)
    assert not clock_of(notice.sign, killed_at + MINUTE).can_be_in_time(notice.effective_at)
    advance_notices(now=notice.effective_at)
    page.goto(f"/casinos/harbour/notices/{notice.pk}/")
    expect(page.get_by_role("heading", level=1, name="Lapsed")).to_be_visible()
    expect(page.get_by_text("so the limits did not change")).to_be_visible()
    look_at(page, "notice-lapsed")


def _in_force_after_all(page: Page, table: Table, lapsed: LimitNotice) -> None:
    """Announced again, on paper: one tap, and twenty minutes later it is in force."""
    page.goto(TABLE)
    page.get_by_role("link", name="Change the limits").click()
    page.get_by_label("Minimum", exact=True).fill("25")
    page.get_by_role("button", name="Schedule the change").click()
    page.get_by_role("button", name="Sign is up").click()
    expect(page.get_by_text("It was taken down")).to_be_visible()
    notice = LimitNotice.objects.exclude(pk=lapsed.pk).get()
    advance_notices(now=notice.effective_at)
    page.goto(f"/casinos/harbour/notices/{notice.pk}/")
    expect(page.get_by_role("heading", level=1, name="In force")).to_be_visible()
    limits = facts_at(table, notice.effective_at).get(LimitsValue)
    assert limits is not None
    assert limits.min == 2_500


def play(name: str, *wagers: dict[str, Any]) -> None:
    now = timezone.now()
    base = {"stake": 500, "tender": "value-chips", "placed_at": encode_timestamp(now), "seat": 3, "bet": "streak:big"}
    body = {**BODIES["round"], "round": name, "wagers": [{**base, **wager} for wager in wagers]}
    line = {"kind": "round", "table": "sb-1", "at": encode_timestamp(now), "body": body}
    with transaction.atomic():
        append("harbour", [make_entry("round", line, "sb-1")], now)


def test_a_table_is_closed_with_a_streak_running(open_browser: OpenBrowser, table: Table) -> None:
    """The sign and the final call go up, the closing is held by the streak, and done when it is determined."""
    play("R-1", {"id": "w-1", "verdict": "open"}, {"id": "w-2", "bet": "big", "verdict": "win", "returned": 1_000})
    page = open_browser()
    with time_machine.travel(timezone.now() - 25 * MINUTE, tick=True):
        sign_in(page, "Casino supervisor")
        page.goto("/casinos/harbour/closures/tables/sb-1/")
        page.get_by_role("link", name="Announce a closing").click()
        expect(page.get_by_text("not determined yet")).to_be_visible()
        expect(page.get_by_role("cell", name="2", exact=True)).to_be_visible()
        look_at(page, "close-announce")
        page.get_by_role("group", name="Are players at the table?").get_by_label("Yes").check()
        page.get_by_role("group", name="Is a Super Streak game in progress?").get_by_label("Yes").check()
        page.get_by_role("button", name="Announce the closing").click()
        expect(page.get_by_role("button", name="Sign is up")).to_have_count(2)
        page.get_by_role("button", name="Sign is up").first.click()
        expect(page.get_by_role("button", name="Sign is up")).to_have_count(1)
        page.get_by_role("button", name="Sign is up").first.click()
        expect(page.get_by_role("button", name="Sign is up")).to_have_count(0)
        page.goto("/casinos/harbour/tables/sb-1/sign/")
        expect(page.get_by_text("no new wagers")).to_be_visible()
        save_screenshot(page, "sign-closing-with-final-call")
    page.goto("/casinos/harbour/closures/tables/sb-1/")
    expect(page.get_by_text("Held")).to_be_visible()
    expect(page.get_by_text("clause 6.6")).to_be_visible()
    look_at(page, "close-held")
    play("R-2", {"id": "w-1", "verdict": "lose", "returned": 0})
    page.reload()
    page.get_by_role("button", name="Table is closed").click()
    expect(page.get_by_text("Sic Bo 1 is closed.")).to_be_visible()
    page.goto("/casinos/harbour/tables/sb-1/sign/")
    expect(page.get_by_text("is closed")).to_be_visible()
    page.goto("/casinos/harbour/closures/tables/sb-1/")
    page.get_by_role("link", name="Open the table again").click()
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("Sic Bo 1 is open.")).to_be_visible()
