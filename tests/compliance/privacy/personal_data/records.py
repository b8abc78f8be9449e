"""Harbour's patrons: Pat disputes a wager.
Details are stored as an app does, with the entry that carries the digest."""

from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.privacy.personal_data.models import PersonalRecord
from compliance.privacy.personal_data.services import store_personal_details
from compliance.privacy.personal_data.subjects import DISPUTE, Subject
from compliance.privacy.personal_data.verify import register_personal_data_kind
from rounds.ledger.writing.append import append, make_entry
from tests.entry_kinds import MATTER

register_personal_data_kind(MATTER)

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
    kept = store_personal_details(
        casino=casino,
        subject=subject,
        reference=reference,
        fields=fields or PAT,
        carried_by=MATTER,
        actor=actor,
        now=now,
        supersedes=supersedes,
    )
    append(casino.slug, [make_entry(MATTER, {"matter": reference, "patron": kept.as_commitment()})], now)
    return kept
