"""Harbour's patrons: Pat disputes a wager. Details are kept as an app would, with the entry that carries the digest."""

from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.patrons.commitments import register_carrier
from compliance.patrons.models import PersonalRecord
from compliance.patrons.services import keep_personal
from compliance.patrons.subjects import DISPUTE, Subject
from rounds.ledger.appending import append, record
from rounds.ledger.kinds import register_kind

CARRIER = register_kind("test-matter", "A matter of the tests that concerns a patron.").name
register_carrier(CARRIER)

KEPT_AT = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)
PAT = {"name": "Pat Example", "address": "12 Quay Street", "telephone": "+61 2 5550 0100"}


@transaction.atomic
def keep(
    casino: Casino,
    *,
    fields: dict[str, Any] | None = None,
    subject: Subject = DISPUTE,
    reference: str = "D-1",
    actor: User | None = None,
    now: datetime = KEPT_AT,
    supersedes: PersonalRecord | None = None,
) -> PersonalRecord:
    kept = keep_personal(
        casino=casino, subject=subject, reference=reference, fields=fields or PAT, carried_by=CARRIER,
        actor=actor, now=now, supersedes=supersedes,
    )  # fmt: skip
    append(casino.slug, [record(CARRIER, {"matter": reference, "patron": kept.as_commitment()})], now)
    return kept
