"""Lights that failed in a round without a fault report: nobody was told, and play went on.

Evaluated at the next round of the table, or at its closing: the first entries that show that nobody reported it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from compliance.audit.catalogue.table_codes import FAULT_NOT_TOLD, FAULT_PLAY
from compliance.audit.checks.equipment.faults import clearings_by_fault, duty_applies_to
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.context.entry_source import EntrySource, RoundSummary
from compliance.audit.context.finding_draft import FindingDraft, capitalize_first, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, History, LookBack
from compliance.audit.projections.rounds import round_from_entry
from rounds.engine import RulesInForce, first_event_times
from rounds.engine import pack as engine_pack
from rounds.engine.settle import ConductedRound
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.entry_kinds import FAULT, FAULT_CLEARED, ROUND, TABLE_CLOSED

LOOK_BACK = LookBack(frozenset({FAULT, FAULT_CLEARED}), timedelta(days=7))
# A late round is looked at by the closing; run/reaudit.py reopens the block of the round after it.
CLOSING_LOOK_BACK = LookBack(LOOK_BACK.entry_kinds | {ROUND}, LOOK_BACK.duration)


def check_round_after_failed_lights(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """FAULT-PLAY and FAULT-NOT-TOLD (`duties.equipment_fault`), at the round after one whose lights failed."""
    duty = context.pack.duties.equipment_fault
    if duty is None or not (duty.play_stops_until_mended or duty.told):
        return
    commenced = context.rules_in_force.commenced_at(context.events)
    failed = _failed_round_before(history.source, context.table, min(context.events.values()), history.events, duty)
    if failed is None:
        return
    if duty.play_stops_until_mended:
        yield round_history_draft(
            context,
            FAULT_PLAY,
            found=format_utc_clock(commenced),
            required=f"no time that was reported, and the lights had failed in round {failed.round}",
            clause=duty.clause,
            evidence=[failed.index],
        )
    if duty.told is not None:
        yield round_history_draft(
            context,
            FAULT_NOT_TOLD,
            what=_failure_label(failed),
            required=capitalize_first(duty.told),
            found=format_utc_clock(commenced),
            clause=duty.clause,
            evidence=[failed.index],
        )


def check_closing_after_failed_lights(context: EventContext) -> Iterator[FindingDraft]:
    """FAULT-NOT-TOLD (`duties.equipment_fault`), where the table closed after the round whose lights failed."""
    duty = context.pack.duties.equipment_fault if context.pack else None
    if duty is None or duty.told is None:
        return
    failed = _failed_round_before(context.source, context.table, context.event_time, context.history.events, duty)
    if failed is not None:
        yield context.draft(
            FAULT_NOT_TOLD,
            what=_failure_label(failed),
            required=capitalize_first(duty.told),
            found=context.format_local_time(context.event_time),
            clause=duty.clause,
            evidence=[failed.index],
        )


def _failure_label(failed: RoundSummary) -> str:
    return f"the lights that failed in round {failed.round}"


def _failed_round_before(
    source: EntrySource, table: str, at: datetime, events: Sequence[EventAt], duty: engine_pack.EquipmentFault
) -> RoundSummary | None:
    """The last round before this instant, if its lights failed and no fault of the lights was reported since it began
    or was open when it began."""
    last = source.last_round(table, at)
    if last is None or last.outcome is None or at - last.started_at > LOOK_BACK.duration:
        return None
    return last if not _is_reported(events, last, at, duty) and _have_lights_failed(source, last) else None


def _is_reported(
    events: Sequence[EventAt], failed: RoundSummary, at: datetime, duty: engine_pack.EquipmentFault
) -> bool:
    cleared = clearings_by_fault(events)
    faults = [each for each in events if each.kind == FAULT and duty_applies_to(duty, each.body) and each.at <= at]
    return any(
        each.at >= failed.started_at
        or each.body.round == failed.round
        or not any(each.at <= one <= failed.started_at for one in cleared.get(each.body.fault, ()))
        for each in faults
    )


def _have_lights_failed(source: EntrySource, failed: RoundSummary) -> bool:
    """By the rules in force for that round, because what was offered may have changed since."""
    [entry] = source.entries_at([failed.index])
    played = round_from_entry(entry)
    if played is None or played.lit is None:
        return False
    timeline = source.rules_timeline([failed.table], failed.started_at, failed.ended_at)
    rules_in_force = timeline.rules_for_round(failed.table, first_event_times(played))
    if not isinstance(rules_in_force, RulesInForce):
        return False
    return ConductedRound(round=played, rules_in_force=rules_in_force).have_lights_failed


CHECKS = (
    TimelineCheck(
        frozenset({FAULT_NOT_TOLD}), frozenset({TABLE_CLOSED}), check_closing_after_failed_lights, CLOSING_LOOK_BACK
    ),
)
ROUND_CHECKS = (RoundHistoryCheck(frozenset({FAULT_PLAY, FAULT_NOT_TOLD}), check_round_after_failed_lights, LOOK_BACK),)
