"""Checks of equipment faults: notification, settlement before a witness, no play until the fault is cleared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from compliance.audit.catalogue.table_codes import FAULT_NOT_CEASED, FAULT_NOT_TOLD, FAULT_PLAY, FAULT_UNWITNESSED
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.checks.shared.roles import positions_for_role
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventAt, EventContext, LookBack
from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.intake.entry_kinds import FAULT, FAULT_CLEARED
from rounds.intake.protocol.equipment import Fault

# A fault that is never reported as cleared blocks play for this long.
FAULT_LOOK_BACK = LookBack(frozenset({FAULT, FAULT_CLEARED}), timedelta(days=7))


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
    was_notified = notified_at(context.event, duty, pack) is not None
    if duty.told is not None and not was_notified and not _is_notification_pending(context, duty):
        recipient = duty.told[0].upper() + duty.told[1:]
        yield context.draft(FAULT_NOT_TOLD, what=what, required=recipient, found=at, clause=duty.clause)
    if duty.play_stops_until_mended and fault.play_ceased_at is None:
        yield context.draft(
            FAULT_NOT_CEASED,
            what=what,
            clause=duty.clause,
            found=f"nobody recorded it by {at}",
            required="it must until the fault is mended",
        )
    if duty.settled_before is not None:
        seen_by = fault.settled_before.position if fault.settled_before else "nobody"
        if seen_by not in positions_for_role(pack, duty.settled_before):
            yield context.draft(
                FAULT_UNWITNESSED,
                what=f"The round of {what}",
                clause=duty.clause,
                found=seen_by,
                required=duty.settled_before,
            )


def notified_at(fault: EventAt, duty: engine_pack.EquipmentFault, pack: Pack) -> datetime | None:
    """When the person who must be notified was: by the fault's report, or by the alert that this service raised."""
    if duty.told is None:
        return None
    positions = positions_for_role(pack, duty.told)
    notified = [each.at for each in fault.body.told if each.position in positions]
    by_alert = alert_notified_at(fault, is_at_once=duty.told_at_once)
    return min([*notified, by_alert] if by_alert else notified, default=None)


def alert_notified_at(fault: EventAt, *, is_at_once: bool) -> datetime | None:
    """When the alert was delivered, if that was in time. An alert sent long after the fault, because its line came late
    or no e-mail was delivered, is not a notification."""
    told_at = fault.source.notification_of(fault.index).told_at
    return told_at if told_at is not None and _is_notified_in_time(fault, told_at, is_at_once=is_at_once) else None


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


def play_allowed_from(fault: EventAt, events: Sequence[EventAt], notified: Sequence[datetime]) -> datetime | None:
    """When play may resume: the fault is cleared and everybody notified. None: not yet."""
    name = fault.body.fault
    mended = [
        each.at for each in events if each.kind == FAULT_CLEARED and each.body.fault == name and each.at >= fault.at
    ]
    return max((min(mended), *notified)) if mended else None


def check_play_during_fault(context: RoundContext, events: Sequence[EventAt]) -> Iterator[FindingDraft]:
    """FAULT-PLAY (`duties.equipment_fault`): a round that began before the fault was cleared and everybody notified."""
    duty, commenced = context.pack.duties.equipment_fault, context.rules_in_force.commenced_at(context.events)
    if duty is None or not duty.play_stops_until_mended:
        return
    for fault in events:
        if fault.kind != FAULT or fault.at > commenced or not duty_applies_to(duty, fault.body):
            continue
        notified = notified_at(fault, duty, context.pack)
        free_from = play_allowed_from(fault, events, [notified] if notified else [])
        if free_from is None or commenced < free_from:
            yield round_history_draft(
                context,
                FAULT_PLAY,
                found=f"{commenced:%H:%M:%S} UTC",
                clause=duty.clause,
                evidence=[fault.index],
                required=f"{free_from:%H:%M:%S} UTC" if free_from else "no time that anybody had told",
            )
            return


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
