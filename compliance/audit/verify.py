"""Registers the audit's rows and projections with the ledger's registry, so that verify_ledger compares them."""

from collections.abc import Iterator, Sequence

from compliance.audit.catalogue import CODES_BY_NAME
from compliance.audit.entry_kinds import FINDING, SUPERSEDED
from compliance.audit.models import superseded_between
from compliance.audit.projections import later_decisions, rounds, timeline_events
from compliance.audit.totals import verify as totals
from rounds.intake.round_records import DECISION_KINDS
from rounds.ledger import LogEntry, position_of, register_projection, register_rows


def register_verification() -> None:
    register_rows(SUPERSEDED, superseded_between)
    register_projection("finding codes", {FINDING}, verify_codes)
    register_projection("packed rounds", rounds.ROUND_KINDS, rounds.verify_rows)
    register_projection("audited happenings", None, timeline_events.verify_rows, read_position=_consumed_up_to)
    register_projection(
        "determinations on rounds",
        DECISION_KINDS,
        later_decisions.verify_rows,
        read_position=_consumed_up_to,
    )
    register_projection("sums of what was played", rounds.ROUND_KINDS, totals.verify_rows)


def verify_codes(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Findings whose code is not in the catalogue, of which the database checks only the format. Their rows are
    compared with the entries, so that a row with another code is reported too."""
    for entry in entries:
        code = entry.content().get("code")
        if code not in CODES_BY_NAME:
            yield entry.index, f"the code {code} is not in the catalogue of finding codes."


def _consumed_up_to(log: str) -> int:
    return position_of(rounds.CONSUMER, log)
