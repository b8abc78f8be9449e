"""Harbour after a day's work, made through the services alone: rounds, findings, decisions, a dispute, a promotion.

Its log has more entries than a tile, a correction and three checkpoints; `verify_ledger` finds it whole.
"""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from compliance.accounts.roles import Role
from compliance.alerts.services import acknowledge_alert, raise_alert
from compliance.closures.services import announce_closure
from compliance.conduct.services import Said, record_conduct
from compliance.desk.standing import follow_tables
from compliance.disputes.said import Decision
from compliance.disputes.services import decide_dispute, log_dispute
from compliance.disputes.subjects import subject_at
from compliance.inspectorate.services import make_token
from compliance.notices.services import schedule_notice
from compliance.reviews.models import Review
from compliance.reviews.outcomes import Outcome
from rounds.floor.models import Table
from rounds.floor.values import Limits, PostedOdds
from rounds.intake.kinds.lines import write_line
from rounds.ledger.appending import correct
from rounds.ledger.checkpoints import make_key, sign_now
from rounds.ledger.mentions import follow_mentions
from tests.compliance.accounts.cast import give_phone, hire
from tests.compliance.audit.house import House, shifted
from tests.compliance.audit.play import LICENSEE, NSW, START, played, wager
from tests.compliance.reviews.office import Office
from tests.promotions.places import promotion_places
from tests.rounds.floor.crew import OPENING, Crew, gather, speaking_controller, state
from tests.rounds.intake.feeding import Feeder

LOG = "harbour"
ROUNDS = 260
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class World:
    """Where the inspector's copies of two checkpoints lie: of a week ago, and of today."""

    old_note: bytes
    new_note: bytes


def make_world(folder: Path, rounds: int = ROUNDS) -> World:
    """`folder` takes the ledger's key, the kept checkpoints and what people upload."""
    settings.LEDGER_KEY_FILE = folder / "keys" / "ledger.key"
    settings.MEDIA_ROOT = folder / "uploads"
    make_key(settings.LEDGER_KEY_FILE)
    crew = gather()
    house = House(crew)
    table = house.open_table(limits=Limits(min=500, max=50_000))
    old_note = sign_now(LOG, OPENING)
    play(house, table, rounds)
    judge(Office(house))
    state(crew, house.open_table("sb-2", LICENSEE), PostedOdds(odds={"total:4": "62 to 1"}))
    people_act(crew, table)
    new_note = sign_now(LOG, timezone.now())
    tell_and_lodge(crew, table)
    for log in (LOG, "marina", "site"):
        sign_now(log, timezone.now())
        while follow_mentions(log):
            pass
    follow_tables()
    return World(old_note, new_note)


def play(house: House, table: Table, rounds: int) -> None:
    """Signed and sent as a controller does; in the last three rounds a wager gets a dollar too much."""
    speaking_controller(house.crew, table)
    feeder, ago = Feeder(), timezone.now() - timedelta(hours=1) - START
    for first in range(1, rounds + 1, 100):
        numbers = range(first, min(first + 100, rounds + 1))
        paid = {number: 5_100 if number > rounds - 3 else 5_000 for number in numbers}
        lines = [
            write_line(
                kind="round", table="sb-1", sequence=number, at=timezone.now(),
                body=shifted(
                    played(NSW, (4, 2, 4), wager("small", 2_500, paid[number], id="w-7"), round=f"r-{number}"), ago
                ),
            )
            for number in numbers
        ]  # fmt: skip
        answer = feeder.send(*lines)
        assert answer.status_code == 200, answer.content
    assert feeder.send(b'{"kind": "round"}').status_code == 422


def judge(office: Office) -> None:
    first, second, *_ = [review for review in office.audit() if review.code == "SETTLE-OVERPAID"]
    office.decide(first, Outcome.UPHELD)
    office.decide(second, Outcome.NEEDS_INFORMATION)


def people_act(crew: Crew, table: Table) -> None:
    now = timezone.now()
    with transaction.atomic():
        correct(LOG, 1, {"reason": "Entered twice.", "by": "supervisor"}, now)
    alert = raise_alert(
        casino=crew.harbour, duty="equipment-fault", to=Role.INSPECTOR, statement="The lights of SB-1 failed.",
        clause="8.8", now=now, table="sb-1",
    )  # fmt: skip
    acknowledge_alert(alert=alert, actor=crew.cast.ines, now=now + MINUTE)
    said: dict[str, Any] = {"table": table, "actor": crew.sid, "now": now}
    schedule_notice(limits=Limits(min=600, max=60_000), effective_at=now + timedelta(hours=2), **said)
    announce_closure(closes_at=now + timedelta(days=1), players_present=True, streak_in_progress=False, **said)
    record_conduct(said=Said(kind="exclusion", grounds="other", scope="game", seat=4, at=now), **said)


def tell_and_lodge(crew: Crew, table: Table) -> None:
    now = timezone.now()
    officer = hire("alf", crew.harbour, Role.AUTHORITY_OFFICER, by=crew.cast.ada)
    give_phone(officer)
    promotion_places(crew.harbour, crew.cast.mara, officer)
    make_token(name="Case system", casinos=[crew.harbour], scopes=["findings"], days=30, actor=crew.cast.ines, now=now)
    overpaid = Review.objects.filter(casino=crew.harbour, code="SETTLE-OVERPAID").order_by("pk")[0]
    subject = subject_at(crew.harbour, overpaid.finding.subject_index)
    assert subject is not None
    dispute = log_dispute(
        subject=subject, wagers=["w-7"], grounds="not-paid", statement="It lay on ten.", present=["dealer"],
        patron={"name": "Pat"}, actor=crew.gina, now=now,
    )  # fmt: skip
    decision = Decision(outcome="refused", reasons="The chips lay on nine.")
    decide_dispute(dispute=dispute, rung=0, decision=decision, actor=crew.gina, now=now + MINUTE)
