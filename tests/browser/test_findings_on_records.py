"""A supervisor and marketing see what was found about their own records, and comment on it, at two widths."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from compliance.audit.models import Finding
from compliance.core.accounts.models import User
from compliance.disputes.models import Dispute
from compliance.disputes.services import log_dispute
from compliance.disputes.subject.disputed_entry import subject_at
from compliance.inspection.reviews.consumer import consume_findings
from compliance.notify.alerts.models import Alert
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from promotions.draws.services import hold_draw, schedule_draw
from promotions.terms.services import begin_draft, file_terms
from rounds.floor.models import Table
from rounds.intake.protocol import equipment as lines
from tests.browser.test_findings import Demo, played_house
from tests.browser.user_actions import assert_accessible, assert_fits_its_width, save_screenshot, sign_in
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager
from tests.promotions.crew import answers

__all__ = ["played_house"]

pytestmark = pytest.mark.browser
HARBOUR = "/casinos/harbour"


@pytest.fixture
def disputed(played_house: House) -> Dispute:
    """A round that was disputed and then invalidated."""
    house, demo = played_house, Demo()
    index = house.play((2, 3, 3), wager("small", 1_000, 2_000, id="won"), wager("big", 1_000, 0, id="lost"))
    subject, later = subject_at(house.casino, index), NOW + timedelta(hours=2)
    assert subject is not None
    dispute = log_dispute(
        subject=subject,
        wagers=["lost"],
        grounds="not-paid",
        statement="The dice were touched.",
        present=["dealer"],
        actor=demo.sid,
        now=NOW,
    )
    report = ConductReport(at=later, kind="invalidation", grounds="disruption", rounds=[str(index)])
    record_conduct(table=Table.objects.get(slug="sb-1"), report=report, actor=demo.sid, now=later)
    house.report("fault", lines.Fault(fault="F-204", equipment="electrical-device", effect="not-lit"), at=NOW)
    consume_equipment(lambda: NOW + timedelta(minutes=41), ["harbour"])
    house.audit()
    consume_findings(["harbour"])
    return dispute


def look_at(page: Page, address: str, name: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for width in (1280, 820):
        page.set_viewport_size({"width": width, "height": 1000})
        assert_fits_its_width(page)
        save_screenshot(page, f"{name}-{width}")
    assert_accessible(page)


def test_a_supervisor_sees_the_findings_and_comments(disputed: Dispute, open_browser: Callable[..., Page]) -> None:
    finding = Finding.objects.current().get(code="SETTLE-OVERPAID")
    page = open_browser()
    sign_in(page, "Casino supervisor")
    look_at(page, f"{HARBOUR}/rounds/{finding.subject_index}/", "round-with-finding")
    page.get_by_role("link", name=f"Comment on finding {finding.entry_index}").click()
    page.get_by_label("Your comment").fill("The dealer was relieved and told.")
    page.get_by_role("button", name="Record the comment").click()
    expect(page.get_by_text("Your comment is recorded.")).to_be_visible()
    expect(page.get_by_text("The dealer was relieved and told.", exact=True)).to_be_visible()
    look_at(page, f"{HARBOUR}/findings/{finding.entry_index}/", "finding-with-comment")
    look_at(page, f"{HARBOUR}/rounds/{disputed.subject_index}/", "round-invalidated")
    expect(page.get_by_text("The outcome of this round was invalidated")).to_be_visible()
    look_at(page, f"{HARBOUR}/floor/tables/sb-1/play/", "table-with-findings")
    look_at(page, disputed.get_absolute_url(), "dispute-of-invalidated-round")
    expect(page.get_by_text("The outcome of this round was invalidated")).to_be_visible()
    alert = Alert.objects.get(duty="equipment-fault")
    look_at(page, f"{HARBOUR}/alerts/{alert.entry_index}/", "alert-late")
    page.get_by_role("link", name="The fault and what was done about it").click()
    look_at(page, f"{HARBOUR}/equipment/faults/{alert.about_index}/", "fault-late")
    look_at(page, f"{HARBOUR}/equipment/faults/", "faults")


def test_marketing_sees_what_was_found_about_its_draw(played_house: House, open_browser: Callable[..., Page]) -> None:
    now = timezone.now()
    mara = User.objects.get(email__startswith="marketing")
    draft = begin_draft(casino=played_house.casino, actor=mara, now=now)
    draft.answers = answers(now + timedelta(hours=1))
    draft.save()
    version = file_terms(draft=draft, actor=mara, now=now)
    place: dict[str, Any] = {"place": "Stage", "method": "Barrel", "actor": mara, "now": now}
    draw = schedule_draw(promotion=version.promotion, scheduled_at=now, **place)
    hold_draw(draw=draw, held_at=now, entries=0, result="Ticket 4", scrutineer="", is_confirmed=False, **place)
    played_house.audit()
    consume_findings(["harbour"])
    page = open_browser()
    sign_in(page, "Marketing")
    look_at(page, version.promotion.get_absolute_url(), "promotion-with-findings")
    expect(page.get_by_text("PROMO-FILED-LATE")).to_be_visible()
    look_at(page, draw.get_absolute_url(), "draw-with-findings")
    expect(page.get_by_text("PROMO-SCRUTINEER")).to_be_visible()
    look_at(page, f"{HARBOUR}/promotions/", "promotions-board")
