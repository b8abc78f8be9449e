"""Line bodies about equipment: faults, dice, shakers, inspections, shoes of cards."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from rounds.intake.protocol.fields import Body, Count, Face, Faces, Instant, Name, Staff, Text, Told


class Fault(Body, frozen=True, kw_only=True):
    """Something of the table fails. `told` says who was told and when, `settled_before` who saw the round settled;
    `round` is the round in which it failed."""

    fault: Name
    equipment: Literal[
        "electrical-device",
        "tumbler",
        "automated-shaker",
        "manual-shaker",
        "entry-terminal",
        "touch-screen",
        "display",
        "terminal",
        "sign",
        "shoe",
        "other",
    ]
    effect: Literal["not-lit", "lit-wrongly", "failed", "broken", "power", "other"]
    round: Name | None = None
    told: tuple[Told, ...] = ()
    settled_before: Staff | None = None
    play_ceased_at: Instant | None = None
    note: Text | None = None
    by: Staff | None = None


class FaultCleared(Body, frozen=True, kw_only=True):
    """The fault is cleared, which lets play resume by the rules, once everybody who must be told has been told. The
    table is shown as stopped until a person has signed for its return to play."""

    fault: Name
    note: Text | None = None
    by: Staff | None = None


class DicePlaced(Body, frozen=True, kw_only=True):
    """A set of dice was put to use at the table, in a tumbler or a shaker."""

    dice: Name
    shaker: Name | None = None
    sealed: bool | None = None
    by: Staff | None = None


class DiceRemoved(Body, frozen=True, kw_only=True):
    dice: Name
    reason: Literal["time", "damaged", "closing", "inspection", "other"] = "other"
    by: Staff | None = None


class ShakerPlaced(Body, frozen=True, kw_only=True):
    shaker: Name
    type: Literal["manual", "automated"]
    by: Staff | None = None


class ShakerRemoved(Body, frozen=True, kw_only=True):
    shaker: Name
    type: Literal["manual", "automated"]
    by: Staff | None = None


class Inspection(Body, frozen=True, kw_only=True):
    """Somebody tried the equipment: how often, with which numbers, and whether it worked. `entered` has the values or
    results of each trial; a trial of the electrical device without them does not count."""

    item: Literal["electrical-device", "automated-shaker"]
    occasion: Literal["before-opening", "start-of-shift", "after-repair"]
    trials: Count
    passed: bool
    by: Staff
    entered: tuple[Faces, ...] = ()
    shift: Name | None = None


class ShoeChanged(Body, frozen=True, kw_only=True):
    """A shoe came into play, or its cards were put back and shuffled. `cards` is how many it holds."""

    shoe: Name
    decks: Count
    cards: Count | None = None
    previous: Name | None = None
    by: Staff | None = None


class FaceCount(Body, frozen=True, kw_only=True):
    face: Face
    cards: Count


class DeckCount(Body, frozen=True, kw_only=True):
    """Cards counted, in all and by face; `foreign` are those that belong to no deck in use. A count during a round
    concerns that round."""

    shoe: Name
    decks: Count
    cards: Count
    by_face: Annotated[tuple[FaceCount, ...], Meta(max_length=6)] = ()
    foreign: Count = 0
    by: Staff | None = None


class ForeignCard(Body, frozen=True, kw_only=True):
    """A card that does not belong was found. Without `round`, it concerns the round in progress."""

    shoe: Name
    round: Name | None = None
    note: Text | None = None
    by: Staff | None = None
