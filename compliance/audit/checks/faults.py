"""Faults of a table's electronics: who was told, who saw the round settled, and that nobody played on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from compliance.alerts.measuring import IMMEDIATELY
from compliance.alerts.selectors import telling_of
from compliance.audit.checks.people import means
from compliance.audit.checks.ways_in import OverTime, RoundOverTime
from compliance.audit.drafts import Draft, over_time
from compliance.audit.seen import RoundSeen
from compliance.audit.stories import Happened, Looks, Subject
from compliance.equipment.following import CONSUMER as FOLLOWER
from rounds.engine.duties import EquipmentFault
from rounds.engine.packs import Pack
from rounds.intake.kinds.equipment import Fault
from rounds.ledger.following import followed_up_to

FAULT, CLEARED = "fault", "fault-cleared"
# A fault that nobody said was mended keeps a table from playing for as long.
LOOKS = Looks(frozenset({FAULT, CLEARED}), timedelta(days=7))


def concerns(duty: EquipmentFault, fault: Fault) -> bool:
    return duty.concerns(fault.equipment, fault.effect)


def _duty(subject: Subject) -> EquipmentFault | None:
    duty = subject.pack.duties.equipment_fault if subject.pack else None
    return duty if duty is not None and concerns(duty, subject.body) else None


def judge_fault(subject: Subject) -> Iterator[Draft]:
    duty, fault, pack = _duty(subject), subject.body, subject.pack
    if duty is None or pack is None:
        return
    what, at = f"fault {fault.fault}", subject.clock(subject.at)
    was_told = told_of(subject.happened, duty, pack) is not None
    if duty.told is not None and not was_told and not _is_open(subject, duty):
        told = duty.told[0].upper() + duty.told[1:]
        yield subject.draft("FAULT-NOT-TOLD", what=what, required=told, found=at, clause=duty.clause)
    if duty.play_stops_until_mended and fault.play_ceased_at is None:
        yield subject.draft(
            "FAULT-NOT-CEASED", what=what, clause=duty.clause, found=f"nobody recorded it by {at}",
            required="it must until the fault is mended",
        )  # fmt: skip
    if duty.settled_before is not None:
        seen_by = fault.settled_before.position if fault.settled_before else "nobody"
        if seen_by not in means(pack, duty.settled_before):
            yield subject.draft(
                "FAULT-UNWITNESSED", what=f"The round of {what}", clause=duty.clause, found=seen_by,
                required=duty.settled_before,
            )  # fmt: skip


def told_of(fault: Happened, duty: EquipmentFault, pack: Pack) -> datetime | None:
    """When whoever must be told of a fault was: as its report says, or by the alert that the service raised for it."""
    if duty.told is None:
        return None
    positions = means(pack, duty.told)
    told = [each.at for each in fault.body.told if each.position in positions]
    by_alert = told_by_alert(fault, is_at_once=duty.told_at_once)
    return min([*told, by_alert] if by_alert else told, default=None)


def told_by_alert(fault: Happened, *, is_at_once: bool) -> datetime | None:
    """An alert about what was long over, because its line came late or no letter got through, told nobody at the time
    of the fault: then its report alone says whether anybody was."""
    told_at = telling_of(fault.entry.log, fault.index).told_at
    return told_at if told_at is not None and _is_in_time(fault, told_at, is_at_once=is_at_once) else None


def _is_in_time(fault: Happened, at: datetime, *, is_at_once: bool) -> bool:
    return not is_at_once or at <= fault.at + IMMEDIATELY


def _is_open(subject: Subject, duty: EquipmentFault) -> bool:
    """The service is about to tell them and can do so in time: it has raised the alert, or comes to this entry next."""
    fault, log = subject.happened, subject.casino.slug
    since = telling_of(log, fault.index).open_since
    if since is None and 0 < followed_up_to(FOLLOWER, log) <= fault.index:
        since = fault.entry.recorded_at
    return since is not None and _is_in_time(fault, since, is_at_once=duty.told_at_once)


def may_play_from(fault: Happened, happened: Sequence[Happened], told: Sequence[datetime]) -> datetime | None:
    """When play may go on after a fault: once it is mended and whoever must be told was; None: not yet."""
    name = fault.body.fault
    mended = [each.at for each in happened if each.kind == CLEARED and each.body.fault == name and each.at >= fault.at]
    return max((min(mended), *told)) if mended else None


def judge_play(seen: RoundSeen, story: Sequence[Happened]) -> Iterator[Draft]:
    """A round that began between a fault and its mending, or before whoever must be told of it was."""
    duty, commenced = seen.pack.duties.equipment_fault, seen.circumstances.commenced_at(seen.events)
    if duty is None or not duty.play_stops_until_mended:
        return
    for fault in story:
        if fault.kind != FAULT or fault.at > commenced or not concerns(duty, fault.body):
            continue
        told = told_of(fault, duty, seen.pack)
        free_from = may_play_from(fault, story, [told] if told else [])
        if free_from is None or commenced < free_from:
            yield over_time(
                seen, "FAULT-PLAY", found=f"{commenced:%H:%M:%S} UTC", clause=duty.clause, evidence=[fault.index],
                required=f"{free_from:%H:%M:%S} UTC" if free_from else "no time that anybody had told",
            )  # fmt: skip
            return


CHECKS = (
    OverTime(
        frozenset({"FAULT-NOT-TOLD", "FAULT-NOT-CEASED", "FAULT-UNWITNESSED"}), frozenset({FAULT}), judge_fault, Looks()
    ),
)
ROUND_CHECKS = (
    RoundOverTime(frozenset({"FAULT-PLAY"}), lambda seen, story: judge_play(seen, story.happened), LOOKS),
)  # fmt: skip
