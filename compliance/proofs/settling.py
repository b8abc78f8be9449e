"""What the rules give for one wager and what the audit found. The service states it; the proof does not rest on it."""

from typing import Any

from compliance.audit.catalogue import CODES
from compliance.audit.models import Coverage, Finding
from compliance.disputes.reckoning import Reckoned, reckon_one
from rounds.floor.selectors import casino_facts_at
from rounds.floor.values import Currency
from rounds.intake.played import PlayedRound
from rounds.ledger.searching import correction_of


def stated(read: PlayedRound, wager: str) -> dict[str, Any]:
    """In words and figures, as they stand when the proof is made."""
    reckoned = reckon_one(read, wager)
    currency = casino_facts_at(read.casino, read.at).get(Currency)
    return {
        "casino": read.casino.name,
        "time_zone": str(read.casino.zone),
        "currency": currency.code if currency else "",
        "table": read.table.name if read.table else read.entry.table or "",
        "settlement": _settlement(read, reckoned),
        "finding": _finding(read, wager),
        "taken_back_by": correction_of(read.entry.log, read.entry.index),
    }


def _settlement(read: PlayedRound, reckoned: Reckoned) -> dict[str, Any]:
    rules = f"{read.version.title}, version {read.version.number}" if read.version else ""
    due = reckoned.answer.nothing_due if reckoned.answer else reckoned.why_not
    return {
        "rules": rules,
        "clause": reckoned.main_clause,
        "due_cents": reckoned.due_cents,
        "returned_cents": reckoned.found_cents,
        "says": due or reckoned.tag.label,
    }


def _finding(read: PlayedRound, wager: str) -> dict[str, Any]:
    """What the audit has of this wager; where it did not come to the round yet, that it did not."""
    about = {"log": read.entry.log, "subject_index": read.entry.index, "wager": wager}
    found = Finding.objects.standing().filter(**about).order_by("pk").first()
    if found is not None:
        # Not its own sentence, which may name a wager beside this one.
        says = CODES[found.code].meaning
        return {"code": found.code, "clause": found.clause, "says": says, "entry": found.entry_index}
    is_audited = Coverage.objects.filter(
        log=read.entry.log, first__lte=read.entry.index, last__gt=read.entry.index
    ).exists()
    says = "The audit found nothing wrong with it." if is_audited else "The audit has not come to this round yet."
    return {"code": "", "clause": "", "says": says, "entry": None}
