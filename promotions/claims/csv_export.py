"""Register of denied claims as CSV, streamed. Without names: reading those is an access that must be recorded."""

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime

from compliance.core.web.ui.table_export import PlainValue, escape_formula
from promotions.claims.denials import waiting_time
from promotions.claims.models import Claim
from rounds.ledger import encode_timestamp

HEADINGS = (
    "claim", "promotion", "prize", "value_cents", "claimed_at", "denied_at", "reasons", "told_at", "told_by",
    "minutes_until_told", "personal_record", "ledger_entry",
)  # fmt: skip


class EchoBuffer:
    """File-like object for csv.writer that returns each line, so that the response can stream."""

    def write(self, line: str) -> str:
        return line


def csv_lines(claims: Iterable[Claim], now: datetime) -> Iterator[str]:
    writer = csv.writer(EchoBuffer())
    yield writer.writerow(HEADINGS)
    for claim in claims:
        yield writer.writerow([escape_formula(value) for value in _claim_row(claim, now)])


def _claim_row(claim: Claim, now: datetime) -> tuple[PlainValue, ...]:
    decision = claim.get_decision()
    assert decision is not None
    told = decision.get_reasons_told()
    return (
        claim.reference,
        claim.promotion.reference,
        claim.prize,
        claim.value_cents,
        encode_timestamp(claim.claimed_at),
        encode_timestamp(decision.at),
        decision.reasons,
        encode_timestamp(told.told_at) if told else "",
        told.method if told else "",
        int(waiting_time(decision, now).total_seconds()) // 60 if told else "",
        claim.record_id or "",
        decision.entry_index,
    )
