"""Equipment: faults played through or not reported, dice left too long, inspections left out, shoes miscounted."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from rounds.engine.duties import EquipmentFault
from rounds.intake.kinds.equipment import (
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
from rounds.intake.kinds.words import Staff, Told
from rounds.simulator.at_play import MINUTE, SECOND
from rounds.simulator.faults.injector import Fits, NoRoom, injects
from rounds.simulator.faults.scene import Pause, Scene
from rounds.simulator.faults.signs import close_properly
from rounds.simulator.said import Said
from rounds.simulator.set_up import TableSetUp, position_of

HOUR = timedelta(hours=1)


def _fault_duty(set_up: TableSetUp) -> EquipmentFault | None:
    return set_up.pack.duties.equipment_fault


def _stops_play(set_up: TableSetUp) -> bool:
    duty = _fault_duty(set_up)
    return duty is not None and duty.play_stops_until_mended


def _fault_in(scene: Scene, pause: Pause) -> tuple[Said, str]:
    """A fault of the lights between two rounds, reported as it must be."""
    duty = _fault_duty(scene.set_up)
    assert duty is not None
    at, name = pause.instants(2)[0], f"planted-{scene.body_of(pause.next_round).round}"
    told = () if duty.told is None else (Told(position=position_of(scene.pack, duty.told), at=at),)
    seen_by = None if duty.settled_before is None else scene.set_up.staff(duty.settled_before)
    fault = Fault(fault=name, equipment="electrical-device", effect="not-lit", told=told, settled_before=seen_by,
                  play_ceased_at=at)  # fmt: skip
    return scene.insert("fault", at, fault), name


def _mended_fault(scene: Scene) -> Said:
    """One that is mended before the next round."""
    pause = scene.pick_pause()
    said, name = _fault_in(scene, pause)
    scene.insert("fault-cleared", pause.instants(2)[1], FaultCleared(fault=name))
    return said


@injects("FAULT-PLAY", fits=_stops_play)
def play_during_a_fault(scene: Scene) -> None:
    """A round is played between a fault and its mending."""
    pause = scene.pick_pause()
    said, name = _fault_in(scene, pause)
    scene.insert("fault-cleared", pause.next_round.at, FaultCleared(fault=name))
    scene.plant(
        "FAULT-PLAY", pause.next_round, "A round was played before the fault was mended.", figures={"fault": name}
    )
    scene.take(said)


@injects("FAULT-NOT-TOLD", fits=lambda set_up: (duty := _fault_duty(set_up)) is not None and duty.told is not None)
def tell_nobody(scene: Scene) -> None:
    """A fault of which the inspector is not told."""
    said = _mended_fault(scene)
    scene.change(said, told=())
    scene.plant("FAULT-NOT-TOLD", said, "Nobody was told of the fault.")


@injects("FAULT-NOT-CEASED", fits=_stops_play)
def carry_on(scene: Scene) -> None:
    """A fault after which nobody recorded that play ceased."""
    said = _mended_fault(scene)
    scene.change(said, play_ceased_at=None)
    scene.plant("FAULT-NOT-CEASED", said, "Nobody recorded that play ceased for the fault.")


@injects(
    "FAULT-UNWITNESSED",
    fits=lambda set_up: (duty := _fault_duty(set_up)) is not None and duty.settled_before is not None,
)
def settle_unwitnessed(scene: Scene) -> None:
    """The round of a fault is settled without the supervisor who must be there."""
    said = _mended_fault(scene)
    scene.change(said, settled_before=None)
    scene.plant("FAULT-UNWITNESSED", said, "The wagers were settled without the supervisor who must be there.")


@injects("DICE-24H", fits=lambda set_up: set_up.pack.duties.dice_custody is not None)
def leave_dice_too_long(scene: Scene) -> None:
    """Dice a second longer on the table than they may be; exactly as long; a second less."""
    duty = scene.pack.duties.dice_custody
    assert duty is not None
    first = scene.timeline.said[0].at
    for number, (case, off) in enumerate((("over", SECOND), ("at", timedelta()), ("under", -SECOND))):
        dice, removed_at = f"dice-planted-{case}-{first:%Y%m%d}", first - (number + 1) * MINUTE
        stay = duty.at_most_hours * HOUR + off
        scene.insert("dice-placed", removed_at - stay, DicePlaced(dice=dice, sealed=True))
        said = scene.insert("dice-removed", removed_at, DiceRemoved(dice=dice, reason="time"))
        figures = {"dice": dice, "seconds": stay.total_seconds()}
        scene.plant("DICE-24H", said, f"Dice were on the table for {stay}.", case=case, finding=case == "over",
                    figures=figures)  # fmt: skip


def _inspects(when: str) -> Fits:
    def fits(set_up: TableSetUp) -> bool:
        return any(_applies(set_up, duty.item) for duty in set_up.pack.duties.inspections or () if duty.when == when)

    return fits


def _applies(set_up: TableSetUp, item: str) -> bool:
    return item != "automated-shaker" or set_up.shaker == "automated"


def _inspections(scene: Scene, occasion: str) -> list[Said]:
    """Those of the session that was just opened."""
    last = max(place for place, said in enumerate(scene.timeline.said) if said.kind == "shaker-placed")
    found = [
        said for said in scene.timeline.said[last:]
        if isinstance(said.body, Inspection) and said.body.occasion == occasion
    ]  # fmt: skip
    scene.need(bool(found))
    return found


def _opened(scene: Scene) -> Said:
    return next(said for said in reversed(scene.timeline.said) if said.kind == "table-opened")


@injects("INSPECT-OPENING", fits=_inspects("before-opening"))
def open_uninspected(scene: Scene) -> None:
    """A table is opened and one item was not inspected before."""
    table = scene.session()
    left_out = _inspections(scene, "before-opening")[0]
    scene.timeline.said.remove(left_out)
    opened = _opened(scene)
    assert isinstance(left_out.body, Inspection)
    scene.plant("INSPECT-OPENING", opened, f"The table was opened and its {left_out.body.item} had not been inspected.")
    close_properly(table)


@injects("INSPECT-SHIFT", fits=_inspects("start-of-shift"))
def miss_a_shift(scene: Scene) -> None:
    """The shift of the day's opening begins and nobody inspects the automated shaker before the first round."""
    opened = next((said for said in scene.timeline.said if said.kind == "table-opened"), None)
    made = [
        said for said in scene.timeline.said
        if isinstance(said.body, Inspection) and said.body.occasion == "start-of-shift"
    ]  # fmt: skip
    if opened is None or not made or not scene.is_free(opened):
        raise NoRoom
    scene.timeline.said.remove(made[0])
    scene.plant("INSPECT-SHIFT", opened, "The shift began and the automated shaker was not inspected.")


@injects("INSPECT-RANK", fits=_inspects("before-opening"))
def inspect_by_the_dealer(scene: Scene) -> None:
    """The dealer makes the inspection that somebody of rank must make."""
    table = scene.session()
    said = _inspections(scene, "before-opening")[0]
    scene.change(said, by=Staff(position="dealer", number="D-01"))
    scene.plant("INSPECT-RANK", said, "The dealer made the inspection before opening.")
    close_properly(table)


@injects("SHAKER-SWAP", fits=lambda set_up: set_up.pack.duties.shaker_swap is not None and set_up.shaker == "automated")
def swap_shakers_wrongly(scene: Scene) -> None:
    """The manual shaker is put to use before the automated one has left the table."""
    table = scene.session()
    automated, manual = table.state.shaker, f"shaker-{scene.set_up.table}-manual"
    said = table.say("shaker-placed", ShakerPlaced(shaker=manual, type="manual"))
    table.say("shaker-removed", ShakerRemoved(shaker=automated, type="automated"))
    table.say("shaker-removed", ShakerRemoved(shaker=manual, type="manual"))
    table.say("shaker-placed", ShakerPlaced(shaker=automated, type="automated"))
    scene.plant("SHAKER-SWAP", said, "The manual shaker came to the table before the automated one had left it.")
    close_properly(table)


@injects("CARDS-COUNT", fits=lambda set_up: set_up.has_cards)
def miss_a_card(scene: Scene) -> None:
    """A shoe is counted and one card is missing."""
    counts = [said for said in scene.timeline.said if isinstance(said.body, DeckCount) and scene.is_free(said)]
    scene.need(bool(counts))
    said = scene.rng.choice(counts)
    body = said.body
    assert isinstance(body, DeckCount)
    first, *others = body.by_face
    by_face = (msgspec.structs.replace(first, cards=first.cards - 1), *others)
    scene.change(said, cards=body.cards - 1, by_face=by_face)
    scene.plant("CARDS-COUNT", said, "A shoe was counted and one card was missing.", figures={"shoe": body.shoe})


@injects("CARDS-FOREIGN", fits=lambda set_up: set_up.has_cards)
def settle_with_a_foreign_card(scene: Scene) -> None:
    """A foreign card is found in a round, and the round is settled all the same."""
    said = scene.pick_round()
    body = scene.body_of(said)
    found = ForeignCard(shoe=body.shoe or "shoe", round=body.round, note="A card with another back.")
    scene.insert("foreign-card", said.at, found)
    says = "A foreign card was found and the round was settled."
    scene.plant("CARDS-FOREIGN", said, says, also=("SETTLE-SHOULD-BE-VOID",))
