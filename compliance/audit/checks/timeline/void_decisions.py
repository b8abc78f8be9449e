"""Decisions that people record about rounds and wagers: invalidated outcomes, wagers declared void. The document says
on which grounds and by whom; checks/round/procedure.py checks the same of what a table reports."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.catalogue.play_codes import ROUND_REASON
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.checks.shared.roles import position_words, positions_for_role
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.timeline import EventContext, LookBack
from rounds.engine import settle
from rounds.intake.entry_kinds import INVALIDATION, WAGERS_VOIDED


def check_invalidation(context: EventContext) -> Iterator[FindingDraft]:
    """ROUND-REASON (`duties.invalidation`): an outcome invalidated without grounds, or by the wrong position."""
    duty, body = context.pack.duties.invalidation if context.pack else None, context.body
    if duty is None or context.pack is None:
        return
    breaches = settle.find_invalidation_breaches(context.pack, body.get("grounds"), body.get("as"))
    if breaches:
        by = f", declared by a {duty.by}" if duty.asks_rank else ""
        yield context.draft(
            ROUND_REASON,
            what=f"The outcome of {_count_label(len(body['rounds']), 'round')}",
            found=f"invalidated, {' and '.join(breaches)}",
            required=f"{' or '.join(duty.grounds)}{by}",
            clause=duty.clause,
            evidence=[each for each in body["rounds"] if isinstance(each, int)],
        )


def check_voided_wagers(context: EventContext) -> Iterator[FindingDraft]:
    """ROUND-REASON (`duties.device_ban`): a person's wagers declared void by a position that the rules do not name."""
    ban, body = context.pack.duties.device_ban if context.pack else None, context.body
    if context.pack is None or ban is None or ban.by is None or "void-wagers" not in ban.may:
        return
    position = body.get("as") or ""
    if position not in positions_for_role(context.pack, ban.by):
        yield context.draft(
            ROUND_REASON,
            what=f"What a person had wagered in {_count_label(len(body['rounds']), 'round')}",
            found=f"by {position_words(position) if position else 'a person not named'}",
            required=f"a decision of a {ban.by}",
            clause=ban.may_clauses[ban.may.index("void-wagers")],
            evidence=[each for each in body["rounds"] if isinstance(each, int)],
        )


def _count_label(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


CHECKS = (
    TimelineCheck(frozenset({ROUND_REASON}), frozenset({INVALIDATION}), check_invalidation, LookBack()),
    TimelineCheck(frozenset({ROUND_REASON}), frozenset({WAGERS_VOIDED}), check_voided_wagers, LookBack()),
)
