"""What the rules give for one wager and what the audit found. Stated by the service; not part of what is proved."""

from typing import Any

from compliance.audit.models import Coverage, Finding
from compliance.disputes.subject.assessment import WagerAssessment, assess_wager
from rounds.floor.fact_values import CurrencyValue
from rounds.floor.selectors import casino_facts_at
from rounds.intake.round_view import RoundView
from rounds.ledger import corrections_of


def service_statement(round_view: RoundView, wager: str) -> dict[str, Any]:
    """The statement, in words and figures, as of now."""
    entry = round_view.entry
    reckoned = assess_wager(round_view, wager)
    currency = casino_facts_at(round_view.casino, round_view.at).get(CurrencyValue)
    return {
        "casino": round_view.casino.name,
        "time_zone": str(round_view.casino.zone),
        "currency": currency.code if currency else "",
        "table": round_view.table.name if round_view.table else entry.table or "",
        "settlement": _settlement_statement(round_view, reckoned),
        "finding": _finding_statement(round_view, wager),
        "taken_back_by": corrections_of(entry.log, [entry.index]).get(entry.index),
    }


def _settlement_statement(round_view: RoundView, reckoned: WagerAssessment) -> dict[str, Any]:
    rules = str(round_view.version) if round_view.version else ""
    return {
        "rules": rules,
        "clause": reckoned.main_clause,
        "due_cents": reckoned.due_cents,
        "returned_cents": reckoned.found_cents,
        "says": reckoned.nothing_due or ". ".join(filter(None, (reckoned.tag.label, reckoned.why))),
    }


def _finding_statement(round_view: RoundView, wager: str) -> dict[str, Any]:
    """The audit's findings about this wager, or that the round was not audited yet."""
    about = {"log": round_view.entry.log, "subject_index": round_view.entry.index, "wager": wager}
    finding = Finding.objects.current().filter(**about).order_by("pk").first()
    if finding is not None:
        # Not the finding's own sentence, which may mention another wager.
        says = finding.code_details.meaning
        return {"code": finding.code, "clause": finding.clause, "says": says, "entry": finding.entry_index}
    is_audited = Coverage.objects.filter(
        log=round_view.entry.log, first__lte=round_view.entry.index, last__gt=round_view.entry.index
    ).exists()
    says = "The audit found nothing wrong with it." if is_audited else "The audit has not come to this round yet."
    return {"code": "", "clause": "", "says": says, "entry": None}
