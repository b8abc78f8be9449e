"""A supervisor watches the floor while rounds arrive over the real API, and follows one to its proof."""

import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.pages.table_state_consumer import consume_table_entries
from rounds.floor.fact_values import LimitsValue
from rounds.floor.services import add_table, approve_key, assign_table, propose_key, record_fact, register_controller
from rounds.ledger.signing.checkpoints import create_key_file
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in
from tests.compliance.pages.live_floor import FLOOR, record_rounds
from tests.rounds.floor.crew import PUBLIC_KEY
from tests.rounds.intake.controller_client import ADDRESS, Feeder

pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]


def who(role: Role) -> User:
    return User.objects.get(email=demo_email(role))


@pytest.fixture
def feeder(site: str, settings: Settings, tmp_path: Path) -> Feeder:
    """Table SB-1 of the demo's Harbour, with limits and a controller that may report for it."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    now, harbour = timezone.now(), Casino.objects.get(slug="harbour")
    supervisor, officer = who(Role.CASINO_SUPERVISOR), who(Role.COMPLIANCE_OFFICER)
    table = add_table(casino=harbour, slug="sb-1", name="Sic Bo 1", actor=supervisor, now=now)
    add_table(casino=harbour, slug="sb-2", name="Sic Bo 2", actor=supervisor, now=now)
    limits = LimitsValue(min=500, max=50_000)
    record_fact(casino=harbour, table=table, value=limits, effective_at=now, actor=supervisor, now=now)
    box = register_controller(casino=harbour, slug="box-1", name="Box 1", actor=officer, now=now)
    assign_table(controller=box, table=table, actor=officer, now=now)
    key = propose_key(controller=box, public_key=PUBLIC_KEY, actor=officer, now=now)
    approve_key(key=key, actor=who(Role.ADMINISTRATOR), now=now)
    return Feeder()


def send(site: str, feeder: Feeder, *lines: bytes) -> None:
    """Over HTTP, as a controller does; then runs the consumers."""
    headers = {"Content-Type": "application/x-ndjson", **feeder.headers(lines)}
    request = urllib.request.Request(site + ADDRESS, b"\n".join(lines) + b"\n", headers)  # noqa: S310 - the test's own site
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - the test's own site
        assert answer.status == 200
    consume_table_entries()


def check_page(page: Page, name: str) -> None:
    for width in (320, 768, 1280):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
        if width > 320:
            save_screenshot(page, f"{name}-{width}")
    assert_accessible(page)


def test_rounds_appear_while_the_floor_is_open(open_browser: OpenBrowser, site: str, feeder: Feeder) -> None:
    page = open_browser()
    sign_in(page, "Games supervisor")
    page.goto("/floor/")
    page.get_by_role("link", name="Harbour Casino").click()
    card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Sic Bo 1", exact=True))
    expect(card).to_contain_text("No round yet")
    expect(card).to_contain_text("Not heard yet")
    opened_at = page.evaluate("performance.timeOrigin")

    send(site, feeder, feeder.line("table-opened"), feeder.line("round", round="R-1", dice=[4, 2, 4]))
    expect(card).to_contain_text("Total 10", timeout=30_000)
    expect(card).to_contain_text("Open")
    # The focus stays on its link while the page refreshes.
    page.locator("#table-sb-1").focus()
    send(site, feeder, feeder.line("round", round="R-2", dice=[6, 6, 6]))
    expect(card).to_contain_text("Total 18", timeout=30_000)
    expect(page.locator("#table-sb-1")).to_be_focused()
    assert page.evaluate("performance.timeOrigin") == opened_at
    check_page(page, "floor")

    page.get_by_role("link", name="Sic Bo 1", exact=True).click()
    expect(page.get_by_role("table", name="Rounds, the newest first")).to_contain_text("R-1")
    send(site, feeder, feeder.line("round", round="R-3", dice=[1, 2, 2]), feeder.line("fault"))
    expect(page.get_by_role("link", name="R-3")).to_be_visible(timeout=30_000)
    check_page(page, "floor-table")

    page.get_by_role("link", name="Everything at this table").click()
    expect(page.get_by_role("list", name="What happened at Sic Bo 1")).to_contain_text("Electrical device not lit")
    check_page(page, "floor-timeline")

    page.get_by_role("link", name="Round", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Round R-3")
    expect(page.get_by_role("table", name="Wagers")).to_contain_text("Value chips")
    check_page(page, "round")
    page.emulate_media(media="print")
    save_screenshot(page, "round-print")
    page.emulate_media(media="screen")
    page.get_by_role("link", name="The entry").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Entry")


def test_without_scripts_a_link_does_it(open_browser: OpenBrowser, site: str, feeder: Feeder) -> None:
    page = open_browser(java_script_enabled=False)
    sign_in(page, "Inspector")
    page.goto(FLOOR)
    expect(page.locator("#live")).to_contain_text("No controller speaks for this table.")
    record_rounds(250)
    consume_table_entries()
    page.get_by_role("link", name="Refresh").click()
    expect(page.locator("#live")).to_contain_text("Total 10")
    page.get_by_role("link", name="Sic Bo 1", exact=True).click()
    page.get_by_label("Recall the last").select_option("100 rounds")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("link", name="R-151", exact=True)).to_be_visible()
    page.get_by_role("link", name="Older").click()
    expect(page.get_by_role("link", name="R-150", exact=True)).to_be_visible()
