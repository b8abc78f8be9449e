"""Checks of equipment faults: notification, settlement before a witness, no play until the fault is cleared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from compliance.audit.catalogue.table_codes import FAULT_NOT_CEASED, FAULT_NOT_TOLD, FAULT_PLAY, FAULT_UNWITNESSED
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.shared.roles import position_words, positions_for_role
from compliance.audit.context.finding_draft import FindingDraft, capitalize_first, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, LookBack
from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.engine.utc_clock import format_utc_clock
from rounds.intake.entry_kinds import FAULT, FAULT_CLEARED
from rounds.intake.protocol.equipment import Fault

NOT_CLEARED_TEXT = "no time that was reported"
# A fault stops play until it is cleared, however long that takes.
FAULT_LOOK_BACK = LookBack(frozenset({FAULT, FAULT_CLEARED}), timedelta(days=36_500))


def duty_applies_to(duty: engine_pack.EquipmentFault, fault: Fault) -> bool:
    return duty.concerns_lights(fault.equipment, fault.effect)


def _fault_duty(context: EventContext) -> engine_pack.EquipmentFault | None:
    duty = context.pack.duties.equipment_fault if context.pack else None
    return duty if duty is not None and duty_applies_to(duty, context.body) else None


def check_fault_response(context: EventContext) -> Iterator[FindingDraft]:
    """FAULT-NOT-TOLD, FAULT-NOT-CEASED and FAULT-UNWITNESSED (`duties.equipment_fault`)."""
    duty, fault, pack = _fault_duty(context), context.body, context.pack
    if duty is None or pack is None:
        return
    what, at = f"fault {fault.fault}", context.format_local_time(context.event_time)
    was_notified = bool(reported_notifications(context.event, duty, pack)) or was_notified_by_alert(context.event, duty)
    if duty.told is not None and not was_notified and not _is_notification_pending(context, duty):
        yield context.draft(
            FAULT_NOT_TOLD, what=what, required=capitalize_first(duty.told), found=at, clause=duty.clause
        )
    if duty.play_stops_until_mended and fault.play_ceased_at is None:
        yield context.draft(
            FAULT_NOT_CEASED,
            what=what,
            clause=duty.clause,
            found=f"nobody recorded it by {at}",
            required="it must until the fault is mended",
        )
    if duty.settled_before is not None:
        seen_by = fault.settled_before.position if fault.settled_before else None
        if seen_by not in positions_for_role(pack, duty.settled_before):
            yield context.draft(
                FAULT_UNWITNESSED,
                what=f"The round of {what}",
                clause=duty.clause,
                found=position_words(seen_by) if seen_by else "nobody on record",
                required=f"a {duty.settled_before}",
            )


def reported_notifications(fault: EventAt, duty: engine_pack.EquipmentFault, pack: Pack) -> list[datetime]:
    """When the person who must be notified was, by the fault's report."""
    positions = positions_for_role(pack, duty.told) if duty.told is not None else ()
    return [each.at for each in fault.body.told if each.position in positions]


def was_notified_by_alert(fault: EventAt, duty: engine_pack.EquipmentFault) -> bool:
    """Whether the alert of this service was delivered in time. An alert sent long after the fault, because its line
    came late or no e-mail was delivered, is not a notification."""
    told_at = fault.source.notification_of(fault.index).told_at
    return told_at is not None and _is_notified_in_time(fault, told_at, is_at_once=duty.told_at_once)


def _is_notified_in_time(fault: EventAt, at: datetime, *, is_at_once: bool) -> bool:
    return not is_at_once or at <= fault.at + IMMEDIATE_LIMIT


def _is_notification_pending(context: EventContext, duty: engine_pack.EquipmentFault) -> bool:
    """Whether the service can still notify in time: the alert is open, or the equipment consumer has not reached this
    entry."""
    fault = context.event
    since = context.source.notification_of(fault.index).open_since
    if since is None and not context.source.has_raised_alerts_of(fault.index):
        since = fault.entry.recorded_at
    return since is not None and _is_notified_in_time(fault, since, is_at_once=duty.told_at_once)


def clearings_by_fault(events: Sequence[EventAt]) -> dict[str, list[datetime]]:
    """By name of the fault, when it was reported as cleared."""
    cleared: dict[str, list[datetime]] = {}
    for each in events:
        if each.kind == FAULT_CLEARED:
            cleared.setdefault(each.body.fault, []).append(each.at)
    return cleared


def play_allowed_from(
    fault: EventAt, cleared: Mapping[str, Sequence[datetime]], notified: Sequence[datetime]
) -> datetime | None:
    """When play may resume: the fault is cleared and, by its report, everybody notified. None: not yet. An alert that
    this service delivers after the clearing stops nobody."""
    cleared_at = min((at for at in cleared.get(fault.body.fault, ()) if at >= fault.at), default=None)
    return None if cleared_at is None else max(cleared_at, min(notified, default=cleared_at))


def check_play_during_fault(context: RoundContext, events: Sequence[EventAt]) -> Iterator[FindingDraft]:
    """FAULT-PLAY (`duties.equipment_fault`): a round that began before the fault was cleared and everybody notified."""
    duty, commenced = context.pack.duties.equipment_fault, context.rules_in_force.commenced_at(context.events)
    if duty is None or not duty.play_stops_until_mended:
        return
    cleared = clearings_by_fault(events)
    for fault in events:
        if fault.kind != FAULT or fault.at > commenced or not duty_applies_to(duty, fault.body):
            continue
        free_from = play_allowed_from(fault, cleared, reported_notifications(fault, duty, context.pack))
        if free_from is not None and commenced < free_from and was_notified_by_alert(fault, duty):
            free_from = play_allowed_from(fault, cleared, ())
        if free_from is None or commenced < free_from:
            yield round_history_draft(
                context,
                FAULT_PLAY,
                found=format_utc_clock(commenced),
                clause=duty.clause,
                evidence=[fault.index],
                required=_clearing_text(duty, play_allowed_from(fault, cleared, ()), free_from),
            )
            return


def _clearing_text(duty: engine_pack.EquipmentFault, cleared_at: datetime | None, free_from: datetime | None) -> str:
    """When the fault was cleared and, where play had to wait for it, when whoever must be told was."""
    if cleared_at is None or free_from is None:
        return NOT_CLEARED_TEXT
    waited = f", and the {duty.told} was told at {format_utc_clock(free_from)}" if free_from > cleared_at else ""
    return f"{format_utc_clock(cleared_at)}{waited}"


CHECKS = (
    TimelineCheck(
        frozenset({FAULT_NOT_TOLD, FAULT_NOT_CEASED, FAULT_UNWITNESSED}),
        frozenset({FAULT}),
        check_fault_response,
        LookBack(),
    ),
)
ROUND_CHECKS = (
    RoundHistoryCheck(
        frozenset({FAULT_PLAY}),
        lambda context, history: check_play_during_fault(context, history.events),
        FAULT_LOOK_BACK,
    ),
)
