"""A disputed round at Harbour, and the people of its ladder. Gina supervises games, Sid and Sue are casino
supervisors, Sam manages the shift, Cora is compliance officer; Ines inspects, Alf is an authority officer. Otto, at
Marina, is the outsider."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.disputes.entry_bodies import DecisionBody, PatronNotificationBody
from compliance.disputes.models import Dispute
from compliance.disputes.services import decide_dispute, log_dispute, record_patron_notification
from compliance.disputes.subject.disputed_entry import DisputedEntry, subject_at
from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.examples import BODIES
from rounds.ledger.signing.checkpoints import create_key_file
from rounds.ledger.writing.append import append, make_entry
from tests.compliance.core.accounts.people import give_phone, hire
from tests.fixture_snapshots import snapshotted
from tests.rounds.floor.crew import Crew, gather, record_table_fact, table_under

NSW, SKYCITY, RWS, LICENSEE = "nsw-sic-bo", "skycity-big-and-small", "rws-sic-bo-etg", "licensee-sic-bo"
PLAYED = datetime(2026, 11, 16, 9, 41, tzinfo=UTC)
NOW = datetime(2026, 11, 16, 9, 50, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@dataclass
class Floor:
    crew: Crew
    sue: User
    sam: User
    alf: User

    @property
    def harbour(self) -> Casino:
        return self.crew.harbour

    @property
    def gina(self) -> User:
        return self.crew.gina

    @property
    def sid(self) -> User:
        return self.crew.sid

    @property
    def cora(self) -> User:
        return self.crew.cora

    @property
    def ines(self) -> User:
        return self.crew.cast.ines

    def open_table(self, rules: str = NSW) -> None:
        table = table_under(self.crew, rules)
        record_table_fact(self.crew, table, LimitsValue(min=500, max=50_000))

    def play(self, name: str = "R-1", table: str = "sb-1", **body: Any) -> DisputedEntry:
        """Dice 2-4-4. Small: $25 wins $25, so $50 is returned. Total 10: $10, which pays 6 to 1, is lost here."""
        told = {**BODIES["round"], "round": name, **body}
        line = {"kind": "round", "table": table, "sequence": 1, "at": PLAYED.isoformat(), "body": told}
        with transaction.atomic():
            [receipt] = append("harbour", [make_entry("round", line, table=table)], PLAYED)
        subject = subject_at(self.harbour, receipt.index)
        assert subject is not None
        return subject

    def log(self, subject: DisputedEntry | None = None, **said: Any) -> Dispute:
        told: dict[str, Any] = {
            "wagers": ["0041-2"],
            "grounds": "not-paid",
            "statement": "It lay on ten, not on nine.",
            "present": ["dealer"],
            "actor": self.gina,
            "now": NOW,
        }
        return log_dispute(subject=subject or self.play(), **told | said)

    def decide(self, dispute: Dispute, by: User, rung: int = 0, **said: Any) -> None:
        told = {"outcome": "refused", "reasons": "The chips lay on nine.", **said}
        decide_dispute(dispute=dispute, rung=rung, decision=DecisionBody(**told), actor=by, now=NOW + 5 * MINUTE)

    def tell(self, dispute: Dispute, answer: str, by: User | None = None) -> None:
        said = PatronNotificationBody(
            told="The wager lost.",
            language="English",
            answer=answer,  # type: ignore[arg-type]
            acknowledged="acknowledged",
        )
        record_patron_notification(dispute=dispute, notification=said, actor=by or self.gina, now=NOW + 6 * MINUTE)


@pytest.fixture
def floor(db: None, tmp_path: Path, settings: Settings) -> Floor:
    return make_disputed_floor(tmp_path, settings)


def make_disputed_floor(tmp_path: Path, settings: Settings) -> Floor:
    """Harbour with its people, a ledger key and its own folder for files."""
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.MEDIA_ROOT = tmp_path / "uploads"
    create_key_file(settings.LEDGER_KEY_FILE)
    return gather_people()


@snapshotted
def gather_people() -> Floor:
    crew = gather()
    hired = [
        hire(name, crew.harbour, role, by=crew.cast.ada)
        for name, role in (
            ("sue", Role.CASINO_SUPERVISOR),
            ("sam", Role.SHIFT_MANAGER),
            ("alf", Role.AUTHORITY_OFFICER),
        )
    ]
    for person in hired:
        give_phone(person)
    return Floor(crew, *hired)
