"""The register of denied claims as CSV, row by row. No names: they are reached through a recorded look only."""

import csv
from collections.abc import Iterable, Iterator
from datetime import datetime

from compliance.web.exporting import Plain, harmless
from promotions.claims.denials import waited
from promotions.claims.models import Claim
from rounds.ledger.leaves import write_instant

HEADINGS = (
    "claim", "promotion", "prize", "value_cents", "claimed_at", "denied_at", "reasons", "told_at", "told_by",
    "minutes_until_told", "personal_record", "ledger_entry",
)  # fmt: skip


class Echo:
    """What csv writes to: hands each line back."""

    def write(self, line: str) -> str:
        return line


def csv_lines(claims: Iterable[Claim], now: datetime) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield writer.writerow(HEADINGS)
    for claim in claims:
        yield writer.writerow([harmless(value) for value in _row(claim, now)])


def _row(claim: Claim, now: datetime) -> tuple[Plain, ...]:
    decision = claim.decided()
    assert decision is not None
    told = decision.reasons_told()
    return (
        claim.reference,
        claim.promotion.reference,
        claim.prize,
        claim.value_cents,
        write_instant(claim.claimed_at),
        write_instant(decision.at),
        decision.reasons,
        write_instant(told.told_at) if told else "",
        told.method if told else "",
        int(waited(decision, now).total_seconds()) // 60 if told else "",
        claim.record_id or "",
        decision.entry_index,
    )
