"""The report after a correction lists it: with what was withdrawn, by whom, when and why, proved by its entry."""

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings

from compliance.core.accounts.models import Casino, User
from compliance.core.corrections.errors import WithdrawalStands
from compliance.core.corrections.services import withdraw_record
from compliance.reports.document.period import Period
from compliance.reports.document.structure import IllustratedDocument
from compliance.reports.kinds import REPORT_KINDS
from compliance.tables.closures.models import ClosureStep
from compliance.tables.closures.services import close_in_emergency
from rounds.floor.models import Table
from rounds.ledger import entry_at
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report, verify_offline
from tests.pdf_text import extract_text
from tests.rounds.floor.crew import Crew

REASON = "It was the other table."


@pytest.fixture(autouse=True)
def ledger_key(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)


def withdraw(casino: Casino, index: int, by: User, at: datetime) -> int:
    entry = entry_at(casino.slug, index)
    assert entry is not None
    return withdraw_record(casino=casino, entry=entry, reason=REASON, actor=by, now=at)


def this_week(casino: Casino) -> dict[str, str]:
    today = timezone.now().date()
    return Period(casino, today - timedelta(days=3), today + timedelta(days=1)).as_options()


def corrected(document: IllustratedDocument) -> list[str]:
    sections = [section for section in document.document.sections if section.title == "Corrected records"]
    return [row.cells[-1] for section in sections if section.grid for row in section.grid.rows]


def test_the_pdf_of_a_period_review(committed_office: ReviewScenario) -> None:
    office, now = committed_office, timezone.now()
    [review] = office.overpay()
    decision = office.decide(review)
    period = this_week(office.casino)
    before = extract_text(make_report(office, "review", **period).path(".pdf").read_bytes())
    assert REASON not in before
    withdraw(office.casino, decision.entry_index, office.ines, now)
    after = make_report(office, "review", **period)
    text = extract_text(after.path(".pdf").read_bytes())
    assert "Corrected records" in text
    assert REASON in text
    assert f"{decision.entry_index}" in text
    genuine = verify_offline(after.path(".pdf"))
    assert genuine.returncode == 0, genuine.stdout + genuine.stderr


def test_the_daily_report_and_the_sheet_of_the_finding(office: ReviewScenario) -> None:
    [review] = office.overpay()
    decision = office.decide(review)
    now = timezone.now()
    correction = withdraw(office.casino, decision.entry_index, office.ines, now)
    sheet = {"finding": review.finding.entry_index}
    day = {"day": now.astimezone(office.casino.zone).date().isoformat()}
    for kind, chosen in (("finding", sheet), ("daily", day)):
        assert corrected(REPORT_KINDS[kind].build(office.casino, chosen, now)) == [REASON], kind
    entry = entry_at("harbour", correction)
    assert entry is not None
    with pytest.raises(WithdrawalStands):
        withdraw_record(casino=office.casino, entry=entry, reason="x", actor=office.ines, now=now)


def test_the_register_of_closings(office: ReviewScenario) -> None:
    """It lists corrections of its own records only."""
    crew: Crew = office.house.crew
    [review] = office.overpay()
    now = timezone.now()
    withdraw(office.casino, office.decide(review).entry_index, office.ines, now)
    close_in_emergency(
        table=Table.objects.get(slug="sb-1"),
        players_present=True,
        streak_in_progress=False,
        reason="Fire.",
        actor=crew.gina,
        now=now,
    )
    build = REPORT_KINDS["notices"].build
    assert corrected(build(office.casino, this_week(office.casino), now)) == []
    withdraw(office.casino, ClosureStep.objects.get().entry_index, crew.sid, now)
    # The line of the table and the step of the closing.
    assert corrected(build(office.casino, this_week(office.casino), timezone.now())) == [REASON, REASON]
    assert date.fromisoformat(this_week(office.casino)["first"]) < now.date()
