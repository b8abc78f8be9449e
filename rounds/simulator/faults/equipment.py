"""Injectors: faults played through or not reported, dice used too long, missing inspections, shoes miscounted."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from rounds.engine import pack
from rounds.intake.protocol.equipment import (
    DeckCount,
    DicePlaced,
    DiceRemoved,
    Fault,
    FaultCleared,
    ForeignCard,
    Inspection,
    ShakerPlaced,
    ShakerRemoved,
)
from rounds.intake.protocol.fields import Staff, Told
from rounds.simulator.faults.injector import FitsTable, NoRoomForFault, register_injector
from rounds.simulator.faults.signs import close_session_properly
from rounds.simulator.faults.timeline_editor import PauseBetweenRounds, TimelineEditor
from rounds.simulator.play.controller_output import ReportedLine
from rounds.simulator.play.table_config import TableConfig, staff_position
from rounds.simulator.play.table_day import MINUTE, SECOND

HOUR = timedelta(hours=1)


def _fault_duty(set_up: TableConfig) -> pack.EquipmentFault | None:
    return set_up.pack.duties.equipment_fault


def _stops_play(set_up: TableConfig) -> bool:
    duty = _fault_duty(set_up)
    return duty is not None and duty.play_stops_until_mended


def _insert_fault(scene: TimelineEditor, pause: PauseBetweenRounds) -> tuple[ReportedLine, str]:
    """Inserts a correctly reported fault of the lights between two rounds."""
    duty = _fault_duty(scene.set_up)
    assert duty is not None
    at, name = pause.spread_instants(2)[0], f"planted-{scene.round_body(pause.next_round).round}"
    told = () if duty.told is None else (Told(position=staff_position(scene.pack, duty.told), at=at),)
    seen_by = None if duty.settled_before is None else scene.set_up.staff_member(duty.settled_before)
    fault = Fault(
        fault=name,
        equipment="electrical-device",
        effect="not-lit",
        told=told,
        settled_before=seen_by,
        play_ceased_at=at,
    )
    return scene.insert_line("fault", at, fault), name


def _insert_repaired_fault(scene: TimelineEditor) -> ReportedLine:
    """Inserts a fault that is repaired before the next round."""
    pause = scene.pick_pause()
    line, name = _insert_fault(scene, pause)
    scene.insert_line("fault-cleared", pause.spread_instants(2)[1], FaultCleared(fault=name))
    return line


@register_injector("FAULT-PLAY", fits=_stops_play)
def play_during_fault(scene: TimelineEditor) -> None:
    """A round is played between a fault and its mending."""
    pause = scene.pick_pause()
    line, name = _insert_fault(scene, pause)
    scene.insert_line("fault-cleared", pause.next_round.at, FaultCleared(fault=name))
    scene.record_fault(pause.next_round, "A round was played before the fault was mended.", figures={"fault": name})
    scene.reserve_line(line)


@register_injector(
    "FAULT-NOT-TOLD", fits=lambda set_up: (duty := _fault_duty(set_up)) is not None and duty.told is not None
)
def omit_inspector_notification(scene: TimelineEditor) -> None:
    """A fault of which the inspector is not told."""
    line = _insert_repaired_fault(scene)
    scene.change_body(line, told=())
    scene.record_fault(line, "Nobody was told of the fault.")


@register_injector("FAULT-NOT-CEASED", fits=_stops_play)
def omit_play_ceased(scene: TimelineEditor) -> None:
    """A fault after which nobody recorded that play ceased."""
    line = _insert_repaired_fault(scene)
    scene.change_body(line, play_ceased_at=None)
    scene.record_fault(line, "Nobody recorded that play ceased for the fault.")


@register_injector(
    "FAULT-UNWITNESSED",
    fits=lambda set_up: (duty := _fault_duty(set_up)) is not None and duty.settled_before is not None,
)
def settle_without_supervisor(scene: TimelineEditor) -> None:
    """The round of a fault is settled without the supervisor who must be there."""
    line = _insert_repaired_fault(scene)
    scene.change_body(line, settled_before=None)
    scene.record_fault(line, "The wagers were settled without the supervisor who must be there.")


@register_injector("DICE-24H", fits=lambda set_up: set_up.pack.duties.dice_custody is not None)
def overuse_dice(scene: TimelineEditor) -> None:
    """Dice a second longer on the table than they may be; exactly as long; a second less."""
    duty = scene.pack.duties.dice_custody
    assert duty is not None
    first = scene.timeline.lines[0].at
    for number, (case, off) in enumerate((("over", SECOND), ("at", timedelta()), ("under", -SECOND))):
        dice, removed_at = f"dice-planted-{case}-{first:%Y%m%d}", first - (number + 1) * MINUTE
        stay = duty.at_most_hours * HOUR + off
        scene.insert_line("dice-placed", removed_at - stay, DicePlaced(dice=dice, sealed=True))
        line = scene.insert_line("dice-removed", removed_at, DiceRemoved(dice=dice, reason="time"))
        figures = {"dice": dice, "seconds": stay.total_seconds()}
        scene.record_fault(
            line, f"Dice were on the table for {stay}.", case=case, finding=case == "over", figures=figures
        )


@register_injector("DICE-DAMAGED", fits=lambda set_up: set_up.pack.conduct.damaged_dice is not None)
def use_damaged_dice(scene: TimelineEditor) -> None:
    """A set of dice is removed as damaged, and the next round is played with it."""
    pause = scene.pick_pause()
    line = pause.next_round
    scene.require_candidate(scene.round_body(line).no_result is None)
    dice, at = f"dice-damaged-{scene.round_body(line).round}", pause.spread_instants(1)[0]
    scene.insert_line("dice-removed", at, DiceRemoved(dice=dice, reason="damaged"))
    scene.change_body(line, dice_set=dice)
    scene.record_fault(line, "A set of dice was used after it had been removed as damaged.", figures={"dice": dice})


@register_injector("DICE-UNSEALED", fits=lambda set_up: set_up.pack.conduct.sealed_dice is not None)
def place_unsealed_dice(scene: TimelineEditor) -> None:
    """A set of dice is put to use that is not sealed, and removed before the next round; another is sealed."""
    pause = scene.pick_pause()
    placed_at, removed_at, *others = pause.spread_instants(4)
    for case, sealed, (at, until) in (("breach", False, (placed_at, removed_at)), ("clear", True, others)):
        dice = f"dice-{case}-{scene.round_body(pause.next_round).round}"
        line = scene.insert_line("dice-placed", at, DicePlaced(dice=dice, sealed=sealed))
        scene.insert_line("dice-removed", until, DiceRemoved(dice=dice))
        scene.record_fault(line, f"Dice were put to use, sealed: {sealed}.", case=case, finding=not sealed)


def _requires_inspection(when: str) -> FitsTable:
    def fits(set_up: TableConfig) -> bool:
        return any(
            _has_inspected_item(set_up, duty.item) for duty in set_up.pack.duties.inspections or () if duty.when == when
        )

    return fits


def _has_inspected_item(set_up: TableConfig, item: str) -> bool:
    return item != "automated-shaker" or set_up.shaker == "automated"


def _session_inspections(scene: TimelineEditor, occasion: str) -> list[ReportedLine]:
    """The inspections of the session that was just opened."""
    last = max(place for place, line in enumerate(scene.timeline.lines) if line.kind == "shaker-placed")
    found = [
        line
        for line in scene.timeline.lines[last:]
        if isinstance(line.body, Inspection) and line.body.occasion == occasion
    ]
    scene.require_candidate(bool(found))
    return found


def _last_opening(scene: TimelineEditor) -> ReportedLine:
    return next(line for line in reversed(scene.timeline.lines) if line.kind == "table-opened")


@register_injector("INSPECT-OPENING", fits=_requires_inspection("before-opening"))
def open_without_inspection(scene: TimelineEditor) -> None:
    """A table is opened and one item was not inspected before."""
    table = scene.open_extra_session()
    left_out = _session_inspections(scene, "before-opening")[0]
    scene.timeline.lines.remove(left_out)
    opened = _last_opening(scene)
    assert isinstance(left_out.body, Inspection)
    scene.record_fault(opened, f"The table was opened and its {left_out.body.item} had not been inspected.")
    close_session_properly(table)


@register_injector("INSPECT-SHIFT", fits=_requires_inspection("start-of-shift"))
def skip_shift_inspection(scene: TimelineEditor) -> None:
    """The shift of the day's opening begins and nobody inspects the automated shaker before the first round."""
    opened = next((line for line in scene.timeline.lines if line.kind == "table-opened"), None)
    made = [
        line
        for line in scene.timeline.lines
        if isinstance(line.body, Inspection) and line.body.occasion == "start-of-shift"
    ]
    if opened is None or not made or not scene.is_unfaulted(opened):
        raise NoRoomForFault
    scene.timeline.lines.remove(made[0])
    scene.record_fault(opened, "The shift began and the automated shaker was not inspected.")


@register_injector("INSPECT-RANK", fits=_requires_inspection("before-opening"))
def inspect_as_dealer(scene: TimelineEditor) -> None:
    """The dealer makes the inspection that somebody of rank must make."""
    table = scene.open_extra_session()
    line = _session_inspections(scene, "before-opening")[0]
    scene.change_body(line, by=Staff(position="dealer", number="D-01"))
    scene.record_fault(line, "The dealer made the inspection before opening.")
    close_session_properly(table)


@register_injector(
    "SHAKER-SWAP", fits=lambda set_up: set_up.pack.duties.shaker_swap is not None and set_up.shaker == "automated"
)
def use_two_shakers_at_once(scene: TimelineEditor) -> None:
    """The manual shaker is put to use before the automated one has left the table."""
    table = scene.open_extra_session()
    automated, manual = table.state.shaker, f"shaker-{scene.set_up.table}-manual"
    line = table.report("shaker-placed", ShakerPlaced(shaker=manual, type="manual"))
    table.report("shaker-removed", ShakerRemoved(shaker=automated, type="automated"))
    table.report("shaker-removed", ShakerRemoved(shaker=manual, type="manual"))
    table.report("shaker-placed", ShakerPlaced(shaker=automated, type="automated"))
    scene.record_fault(line, "The manual shaker came to the table before the automated one had left it.")
    close_session_properly(table)


@register_injector("CARDS-COUNT", fits=lambda set_up: set_up.has_cards)
def count_shoe_with_missing_card(scene: TimelineEditor) -> None:
    """A shoe is counted and one card is missing."""
    counts = [line for line in scene.timeline.lines if isinstance(line.body, DeckCount) and scene.is_unfaulted(line)]
    scene.require_candidate(bool(counts))
    line = scene.rng.choice(counts)
    body = line.body
    assert isinstance(body, DeckCount)
    first, *others = body.by_face
    by_face = (msgspec.structs.replace(first, cards=first.cards - 1), *others)
    scene.change_body(line, cards=body.cards - 1, by_face=by_face)
    scene.record_fault(line, "A shoe was counted and one card was missing.", figures={"shoe": body.shoe})


def _void_fault(set_up: TableConfig) -> tuple[str, str] | None:
    """Equipment and effect of a fault report that makes the round it names void."""
    rules = set_up.pack.law.void.values()
    return next(((rule.fault_of[0], rule.fault_effects[0]) for rule in rules if rule.fault_of), None)


@register_injector(
    "ROUND-NOT-VOID",
    fits=lambda set_up: _void_fault(set_up) is not None or "card-count" in set_up.pack.law.void,
)
def settle_round_of_failed_equipment(scene: TimelineEditor) -> None:
    """A round is settled although the tumbler or shaker failed in it, or its cards were miscounted meanwhile."""
    line = scene.pick_round()
    body, fault = scene.round_body(line), _void_fault(scene.set_up)
    if fault is not None:
        name = f"planted-{body.round}"
        report = Fault(fault=name, equipment=fault[0], effect=fault[1], round=body.round)  # type: ignore[arg-type]
        scene.insert_line("fault", line.at, report)
        scene.insert_line("fault-cleared", line.at, FaultCleared(fault=name))
        scene.record_fault(line, "The equipment failed in a round that was settled.", figures={"fault": name})
        return
    cards = scene.pack.conduct.cards
    assert cards is not None
    decks = scene.set_up.decks or cards.fewest_decks
    counted = DeckCount(shoe=body.shoe or "shoe", decks=decks, cards=decks * cards.cards_a_deck - 1)
    count = scene.insert_line("deck-count", body.events[-1].at, counted)
    scene.reserve_line(line)
    scene.record_fault(count, "A card was missing in a round that was settled.", also=("CARDS-COUNT",))


@register_injector("CARDS-FOREIGN", fits=lambda set_up: set_up.has_cards)
def settle_with_foreign_card(scene: TimelineEditor) -> None:
    """A foreign card is found in a round, and the round is settled all the same."""
    line = scene.pick_round()
    body = scene.round_body(line)
    found = ForeignCard(shoe=body.shoe or "shoe", round=body.round, note="A card with another back.")
    scene.insert_line("foreign-card", line.at, found)
    says = "A foreign card was found and the round was settled."
    scene.record_fault(line, says, also=("SETTLE-SHOULD-BE-VOID",))
