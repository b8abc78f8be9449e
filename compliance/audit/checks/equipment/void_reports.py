"""Rounds that were settled although a report makes them void: a failed tumbler or shaker, a foreign card, a miscount.

A round is concerned if the report names it; without a name, a report about cards concerns the round in progress. The
draft is about whichever came later, the round or the report.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.catalogue.play_codes import ROUND_NOT_VOID
from compliance.audit.catalogue.table_codes import CARDS_FOREIGN
from compliance.audit.checks.equipment.card_shoes import is_miscounted
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.context.entry_source import RoundSummary
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from rounds.engine import Pack
from rounds.intake.entry_kinds import DECK_COUNT, FAULT, FOREIGN_CARD, ROUND

REPORT_KINDS = frozenset({FAULT, FOREIGN_CARD, DECK_COUNT})
# A report is made while its round is played.
REPORT_LOOK_BACK = LookBack(REPORT_KINDS, timedelta(hours=1))
LONGEST_ROUND = timedelta(days=1)
REQUIRED_TEXT = "it makes the round void"


class VoidReport(NamedTuple):
    """A reason to void a round that an entry reports. `what` and `found` are for the finding's sentence."""

    reason: str
    code: FindingCode
    label: str


def void_reports(pack: Pack, event: EventAt) -> Iterator[VoidReport]:
    """The reasons, among those of the document, that this entry reports."""
    body = event.body
    if event.kind == FAULT and body.round is not None:
        for name, rule in pack.law.void.items():
            if body.equipment in rule.fault_of and body.effect in rule.fault_effects:
                label = f"{body.equipment} {body.effect}".replace("-", " ")
                yield VoidReport(name, ROUND_NOT_VOID, f"fault {body.fault} was reported: {label}")
    has_foreign_card = event.kind == FOREIGN_CARD or (event.kind == DECK_COUNT and body.foreign > 0)
    if has_foreign_card and "foreign-card" in pack.law.void:
        yield VoidReport("foreign-card", CARDS_FOREIGN, f"shoe {body.shoe}")
    if event.kind == DECK_COUNT and "card-count" in pack.law.void and is_miscounted(pack, body):
        yield VoidReport("card-count", ROUND_NOT_VOID, f"the cards of shoe {body.shoe} were miscounted")


def _named_round(event: EventAt) -> str | None:
    name: str | None = getattr(event.body, "round", None)
    return name


def _sentence_parts(report: VoidReport, round_label: str, name: str) -> dict[str, Any]:
    if report.code is CARDS_FOREIGN:
        return {"what": report.label, "found": f"round {name} was settled", "required": REQUIRED_TEXT}
    return {"what": round_label, "found": report.label, "required": REQUIRED_TEXT}


def check_report(context: EventContext) -> Iterator[FindingDraft]:
    """CARDS-FOREIGN and ROUND-NOT-VOID (`law.void`), where the round was reported before. Otherwise check_round drafts
    them at the round."""
    reports = {report.code: report for report in void_reports(context.pack, context.event)} if context.pack else {}
    if context.pack is None or not reports:
        return
    concerned = _settled_round(context)
    if concerned is None:
        return
    for code, report in reports.items():
        label = f"Round {concerned.round} at table {context.table}"
        parts: dict[str, Any] = _sentence_parts(report, label, concerned.round)
        yield context.draft(code, **parts, clause=_clause(context.pack, report), evidence=[concerned.index])


def _settled_round(context: EventContext) -> RoundSummary | None:
    """The last round reported before with a result that no decision voided: the round that the entry names, or else the
    one in progress."""
    name, at = _named_round(context.event), context.event_time
    started = (None, None) if name else (at - LONGEST_ROUND, at)
    rounds = context.source.rounds([context.table], name=name, started=started)
    before = [each for each in rounds if each.index < context.event.index and not each.is_void]
    found = [each for each in before if name or each.ended_at >= at]
    decided = context.source.decisions_on([each.index for each in found])
    settled = [each for each in found if not any(one.reason for one in decided.get(each.index, ()))]
    return max(settled, key=lambda each: each.index, default=None)


def _clause(pack: Pack, report: VoidReport) -> str:
    return next(rule.clause for name, rule in pack.law.void.items() if name == report.reason)


def check_round(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """CARDS-FOREIGN and ROUND-NOT-VOID (`law.void`), where the report came before the round."""
    if context.round.no_result is not None or context.is_voided_later:
        return
    found: set[FindingCode] = set()
    began_at = min(context.events.values())
    for event in history.events:
        name = _named_round(event)
        is_concerned = name == context.round.round if name else began_at <= event.at
        if not is_concerned or event.index > context.index:
            continue
        for report in void_reports(context.pack, event):
            if report.code not in found:
                found.add(report.code)
                parts = _sentence_parts(report, context.round_label, context.round.round)
                yield round_history_draft(
                    context, report.code, **parts, clause=_clause(context.pack, report), evidence=[event.index]
                )


CHECKS = (
    TimelineCheck(frozenset({CARDS_FOREIGN, ROUND_NOT_VOID}), REPORT_KINDS, check_report, LookBack(frozenset({ROUND}))),
)
ROUND_CHECKS = (RoundHistoryCheck(frozenset({CARDS_FOREIGN, ROUND_NOT_VOID}), check_round, REPORT_LOOK_BACK),)
