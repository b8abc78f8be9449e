"""Harbour after a day's work, made through the services: rounds, findings, decisions, a dispute, a promotion.

Its log has more entries than one tile, a correction and three checkpoints; `verify_ledger` finds no issues.
"""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from compliance.api.tokens.services import make_token
from compliance.core.accounts.roles import Role
from compliance.disputes.entry_bodies import DecisionBody
from compliance.disputes.services import decide_dispute, log_dispute
from compliance.disputes.subject.disputed_entry import subject_at
from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.notify.alerts.services import acknowledge_alert, raise_alert
from compliance.pages.table_state_consumer import consume_table_entries
from compliance.tables.closures.services import announce_closure
from compliance.tables.limit_notices.services import schedule_notice
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from rounds.floor.fact_values import LimitsValue, PostedOddsValue
from rounds.floor.models import Table
from rounds.intake.protocol.envelope import encode_line
from rounds.ledger.readers.search_index import index_new_entries
from rounds.ledger.signing.checkpoints import create_key_file, sign_log
from rounds.ledger.writing.append import correct
from tests.compliance.audit.house import House, shifted
from tests.compliance.audit.round_builders import LICENSEE, NSW, START, build_round, wager
from tests.compliance.core.accounts.people import give_phone, hire
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.promotions.url_arguments import promotion_url_arguments
from tests.rounds.floor.crew import OPENING, Crew, gather, record_table_fact, speaking_controller
from tests.rounds.intake.controller_client import Feeder

LOG = "harbour"
ROUNDS = 260
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class DayFiles:
    """Paths of the inspector's copies of two checkpoints: of a week ago, and of today."""

    old_note: bytes
    new_note: bytes


def make_world(folder: Path, rounds: int = ROUNDS) -> DayFiles:
    """`folder` gets the ledger's key, the checkpoint files and uploads."""
    settings.LEDGER_KEY_FILE = folder / "keys" / "ledger.key"
    settings.MEDIA_ROOT = folder / "uploads"
    create_key_file(settings.LEDGER_KEY_FILE)
    crew = gather()
    house = House(crew)
    table = house.open_table(limits=LimitsValue(min=500, max=50_000))
    old_note = sign_log(LOG, OPENING)
    play(house, table, rounds)
    review_findings(ReviewScenario(house))
    record_table_fact(crew, house.open_table("sb-2", LICENSEE), PostedOddsValue(odds={"total:4": "62 to 1"}))
    people_act(crew, table)
    new_note = sign_log(LOG, timezone.now())
    notify_and_lodge_dispute(crew, table)
    for log in (LOG, "marina", "site"):
        sign_log(log, timezone.now())
        while index_new_entries(log):
            pass
    consume_table_entries()
    return DayFiles(old_note, new_note)


def play(house: House, table: Table, rounds: int) -> None:
    """Signed and sent as a controller does; in the last three rounds a wager is paid a dollar too much."""
    speaking_controller(house.crew, table)
    feeder, ago = Feeder(), timezone.now() - timedelta(hours=1) - START
    for first in range(1, rounds + 1, 100):
        numbers = range(first, min(first + 100, rounds + 1))
        paid = {number: 5_100 if number > rounds - 3 else 5_000 for number in numbers}
        lines = [
            encode_line(
                kind="round",
                table="sb-1",
                sequence=number,
                at=timezone.now(),
                body=shifted(
                    build_round(NSW, (4, 2, 4), wager("small", 2_500, paid[number], id="w-7"), round=f"r-{number}"), ago
                ),
            )
            for number in numbers
        ]
        answer = feeder.send(*lines)
        assert answer.status_code == 200, answer.content
    assert feeder.send(b'{"kind": "round"}').status_code == 422


def review_findings(office: ReviewScenario) -> None:
    first, second, *_ = [review for review in office.audit() if review.code == "SETTLE-OVERPAID"]
    office.decide(first, Outcome.UPHELD)
    office.decide(second, Outcome.NEEDS_INFORMATION)


def people_act(crew: Crew, table: Table) -> None:
    now = timezone.now()
    with transaction.atomic():
        correct(LOG, 1, {"reason": "Entered twice.", "by": "supervisor"}, now)
    alert = raise_alert(
        casino=crew.harbour,
        duty="equipment-fault",
        to=Role.INSPECTOR,
        statement="The lights of SB-1 failed.",
        clause="8.8",
        now=now,
        table="sb-1",
    )
    acknowledge_alert(alert=alert, actor=crew.cast.ines, now=now + MINUTE)
    said: dict[str, Any] = {"table": table, "actor": crew.sid, "now": now}
    schedule_notice(limits=LimitsValue(min=600, max=60_000), effective_at=now + timedelta(hours=2), **said)
    announce_closure(closes_at=now + timedelta(days=1), players_present=True, streak_in_progress=False, **said)
    record_conduct(report=ConductReport(kind="exclusion", grounds="other", scope="game", seat=4, at=now), **said)


def notify_and_lodge_dispute(crew: Crew, table: Table) -> None:
    now = timezone.now()
    officer = hire("alf", crew.harbour, Role.AUTHORITY_OFFICER, by=crew.cast.ada)
    give_phone(officer)
    promotion_url_arguments(crew.harbour, crew.cast.mara, officer)
    make_token(name="Case system", casinos=[crew.harbour], scopes=["findings"], days=30, actor=crew.cast.ines, now=now)
    overpaid = Review.objects.filter(casino=crew.harbour, code="SETTLE-OVERPAID").order_by("pk")[0]
    subject = subject_at(crew.harbour, overpaid.finding.subject_index)
    assert subject is not None
    dispute = log_dispute(
        subject=subject,
        wagers=["w-7"],
        grounds="not-paid",
        statement="It lay on ten.",
        present=["dealer"],
        patron={"name": "Pat"},
        actor=crew.gina,
        now=now,
    )
    decision = DecisionBody(outcome="refused", reasons="The chips lay on nine.")
    decide_dispute(dispute=dispute, rung=0, decision=decision, actor=crew.gina, now=now + MINUTE)
