"""A fault from the controller's message to the inspector's acknowledgement and the return to play, on tablets."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings

from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import Role
from compliance.core.web.tasks import send_emails
from compliance.tables.equipment.tasks import consume_equipment_entries
from rounds.floor.fact_values import TableRulesValue
from rounds.floor.models import Table
from rounds.floor.services import record_fact
from rounds.rulebook.models import MediaType
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER
from tests.browser.test_live_floor import feeder, send, who
from tests.browser.user_actions import (
    assert_accessible,
    assert_fits_its_width,
    reauthenticate,
    save_screenshot,
    sign_in,
)
from tests.rounds.intake.controller_client import Feeder

__all__ = ["feeder"]
pytestmark = pytest.mark.browser
OpenBrowser = Callable[..., Page]
NSW = "nsw-sic-bo"
FLOOR = "/casinos/harbour/floor/"


@pytest.fixture
def nsw_feeder(feeder: Feeder, settings: Settings, tmp_path: Path) -> Feeder:
    """Harbour's table SB-1 under the NSW rules, with its controller."""
    now, harbour = timezone.now(), Casino.objects.get(slug="harbour")
    officer, inspector = who(Role.COMPLIANCE_OFFICER), who(Role.INSPECTOR)
    version = propose_version(
        casino=harbour,
        pack_content=(PACK_FOLDER / f"{NSW}.toml").read_bytes(),
        pack_file=f"{NSW}.toml",
        source=SourceUpload(b"The rules, as printed.\n", "rules.txt", MediaType.TEXT),
        readings={},
        actor=officer,
        now=now - timedelta(hours=2),
    )
    approve_version(
        version=version,
        effective_at=now - timedelta(hours=1),
        time_zone="Australia/Sydney",
        evidence="Gazetted.",
        edge_reason="Printed so.",
        actor=inspector,
        now=now - timedelta(hours=1),
    )
    table = Table.objects.get(casino=harbour, slug="sb-1")
    record_fact(
        casino=harbour,
        table=table,
        value=TableRulesValue(rules=NSW),
        effective_at=now,
        actor=who(Role.CASINO_SUPERVISOR),
        now=now,
    )
    return feeder


def check_page(page: Page, name: str) -> None:
    for width in (320, 768):
        page.set_viewport_size({"width": width, "height": 1024})
        assert_fits_its_width(page)
    save_screenshot(page, name)
    assert_accessible(page)


def big_enough(page: Page, name: str) -> None:
    """A touch target of at least 44 px."""
    box = page.get_by_role("button", name=name, exact=True).bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["width"] >= 44


def test_from_the_controllers_message_to_the_return_to_play(
    open_browser: OpenBrowser, site: str, nsw_feeder: Feeder
) -> None:
    supervisor, inspector = open_browser(), open_browser()
    sign_in(supervisor, "Casino supervisor")
    sign_in(inspector, "Inspector")
    supervisor.goto(FLOOR)
    card = supervisor.get_by_role("listitem").filter(has=supervisor.get_by_role("link", name="Sic Bo 1", exact=True))
    expect(card).not_to_contain_text("Play stopped")

    send(site, nsw_feeder, nsw_feeder.line("fault", told=[], play_ceased_at=timezone.now().isoformat()))
    consume_equipment_entries()
    send_emails()
    expect(card).to_contain_text("Play stopped", timeout=30_000)

    # The inspector reads the e-mail, opens the alert and acknowledges it with one tap.
    inspector.goto("/demo/mailbox/")
    inspector.get_by_role("link", name="Sic Bo 1: Electrical device, not lit").first.click()
    expect(inspector.locator("main")).to_contain_text("Play is stopped until it is mended.")
    inspector.goto("/casinos/harbour/alerts/")
    check_page(inspector, "alerts-inbox")
    inspector.get_by_role("link", name="Sic Bo 1: Electrical device, not lit").first.click()
    expect(inspector.get_by_role("heading", name="How soon")).to_be_visible()
    expect(inspector.locator("main")).to_contain_text("From the fact to the first e-mail")
    big_enough(inspector, "Acknowledge")
    check_page(inspector, "alert")
    inspector.get_by_role("button", name="Acknowledge", exact=True).click()
    expect(inspector.get_by_role("status")).to_contain_text("is acknowledged in your name.")
    expect(inspector.get_by_role("list", name="What happened")).to_contain_text("Inspector (Inspector)")

    # The supervisor follows the stop to the fault and records the repair; a games supervisor signs for the return.
    card.get_by_role("link", name="Play stopped: fault F-204").click()
    expect(supervisor.get_by_role("list", name="From the fault to the return")).to_contain_text("Acknowledged")
    check_page(supervisor, "fault")
    supervisor.get_by_role("link", name="It is mended").click()
    supervisor.get_by_label("What was done, and how it was tried").fill("Lamp driver replaced; three results tried.")
    check_page(supervisor, "fault-mended")
    supervisor.get_by_role("button", name="It is mended").click()
    expect(supervisor.get_by_role("status")).to_contain_text("Recorded as entry")
    expect(supervisor.get_by_role("list", name="What to do now")).to_contain_text("Mended, play still stopped")
    check_page(supervisor, "equipment-table")
    supervisor.get_by_role("link", name="Return to play").click()
    expect(supervisor.locator("main")).to_contain_text("another person signs for the return to play")
    signer, fault = open_browser(), supervisor.url
    sign_in(signer, "Games supervisor")
    signer.goto(fault)
    expect(signer.get_by_role("heading", level=1)).to_contain_text("electrical device, not lit")
    signer.get_by_role("link", name="Return to play").click()
    signer.get_by_label("What you looked at").fill("Three results entered, all lit as they must be.")
    reauthenticate(signer)
    signer.get_by_role("button", name="Sign and return to play").click()
    expect(signer.get_by_role("status")).to_contain_text("Sic Bo 1 is back in play.")
    supervisor.goto(FLOOR)
    expect(card).not_to_contain_text("Play stopped")
    supervisor.goto("/casinos/harbour/equipment/")
    expect(supervisor.get_by_role("heading", level=1)).to_have_text("Equipment at Harbour Casino")
    check_page(supervisor, "equipment-board")
