"""Line body of a round: its events, its result, and every wager with its changes and settlement."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from rounds.engine import pack
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.fields import (
    NAME,
    PSEUDONYM,
    SLUG,
    BetCode,
    Body,
    Cents,
    Count,
    Face,
    Faces,
    Instant,
    Limits,
    Name,
    NameAmongMany,
    PlayerLimits,
    PseudonymAmongMany,
    Seat,
    Slug,
    SlugAmongMany,
    Staff,
    Stake,
    anchored_pattern,
)

# Events that tables report. The rule pack defines which of them closes betting.
RoundEventName: TypeAlias = Literal[
    "bets-open",
    "tumbled",
    "no-more-bets-called",
    "no-more-bets-signalled",
    "no-more-bets-pressed",
    "no-more-bets-displayed",
    "bell-rung",
    "uncovered",
    "drawn",
    "result-called",
    "result-entered",
    "areas-lit",
    "losers-collected",
    "winners-paid",
    "lights-cleared",
    "covered-again",
]


Verdict: TypeAlias = Literal["win", "lose", "void", "open", "refused", "forfeited"]


class RoundEvent(Body, frozen=True, kw_only=True):
    """One thing that happened. `count`: how often the dice tumbled, the trigger was worked or the shaker shaken."""

    name: RoundEventName
    at: Instant
    count: Count | None = None
    by: Staff | None = None


class Called(Body, frozen=True, kw_only=True):
    """The result as announced, in the order of the call, and the total if one was announced."""

    faces: Faces
    total: Count | None = None
    by: Staff | None = None


class Entered(Body, frozen=True, kw_only=True):
    """The result as keyed into the table's electronics."""

    faces: Faces
    by: Staff | None = None


class Displayed(Body, frozen=True, kw_only=True):
    """What a display beside the table showed: a winning number display, a screen, the terminals."""

    device: Name
    faces: Faces


class NoResult(Body, frozen=True, kw_only=True):
    """Why the round has no result. `grounds` and `by` belong to an outcome that was annulled. `faces_read` are the dice
    that could be read when play was interrupted, where not all of them could."""

    reason: pack.VoidReasonName
    at: Instant | None = None
    by: Staff | None = None
    grounds: Literal["disruption", "fraud"] | None = None
    faces_read: Annotated[tuple[Face, ...], Meta(max_length=3)] = ()


class Change(Body, frozen=True, kw_only=True):
    """What became of a wager after it was placed. `stake` and `bet` say how it stood afterwards."""

    what: Literal["raised", "lowered", "moved", "withdrawn"]
    at: Instant
    stake: Stake | None = None
    bet: BetCode | None = None


class ColourValue(Body, frozen=True, kw_only=True):
    """The colour of chips without a denomination, the value of one at issue, and the table that issued them."""

    colour: Slug
    value: Stake
    issued_at: Slug | None = None


class Refusal(Body, frozen=True, kw_only=True):
    """When a wager was refused, and why: `touching` means that the player touched wagers repeatedly before they were
    settled. A document may allow a refusal only before betting closes, or only on certain grounds; a wager that was
    refused otherwise is settled like any other."""

    at: Instant | None = None
    grounds: Literal["limits", "late", "touching", "identity", "other"] | None = None


class Wager(Body, frozen=True, kw_only=True):
    """One wager. `bet` and `stake` are as first placed; `changes` say the rest.

    A Super Streak wager is in the round after which it was placed, and again, with the same id, in the round that ends
    it; while it runs its verdict is `open` and nothing is returned yet. `within_box` says whether the chips lay wholly
    within the lines of their box when the cover came off; leave it out where nobody looked.
    """

    id: NameAmongMany
    bet: BetCode
    stake: Stake
    tender: pack.Tender
    placed_at: Instant
    verdict: Verdict
    returned: Cents | None = None
    player: PseudonymAmongMany | None = None
    seat: Seat | None = None
    terminal: SlugAmongMany | None = None
    chips: ColourValue | None = None
    spoken: bool = False
    changes: tuple[Change, ...] = ()
    registered: bool | None = None
    warned: bool = False
    paid_in: pack.Tender | None = None
    refusal: Refusal | None = None
    within_box: bool | None = None


class Round(Body, frozen=True, kw_only=True):
    """A round. A fact that breaks a rule belongs here as it happened; only what cannot be read is refused."""

    round: Name
    gaming_day: date
    events: tuple[RoundEvent, ...]
    wagers: tuple[Wager, ...]
    dice: Faces | None = None
    cards: Faces | None = None
    called: Called | None = None
    entered: Entered | None = None
    lit: tuple[BetCode, ...] | None = None
    displayed: tuple[Displayed, ...] = ()
    no_result: NoResult | None = None
    limits: Limits | None = None
    player_limits: tuple[PlayerLimits, ...] = ()
    streak_amount: Stake | None = None
    dice_set: Name | None = None
    shaker: Name | None = None
    shoe: Name | None = None

    def __post_init__(self) -> None:
        wagers = self.wagers
        if not (
            _are_names([wager.id for wager in wagers])
            and _are_pseudonyms([wager.player for wager in wagers if wager.player is not None])
            and _are_slugs([wager.terminal for wager in wagers if wager.terminal is not None])
        ):
            raise ValueError(_bad_name_message(wagers))

    def check(self) -> None:
        """Checks that a schema cannot express: unique wager ids, and members that depend on each other."""
        if not self.events:
            raise MalformedLine("no-events", "A round has at least one event.", "/events")
        if self.dice is not None and self.cards is not None:
            raise MalformedLine("two-results", "A round has dice or cards, not both.", "/cards")
        if self.dice is None and self.cards is None and self.no_result is None:
            raise MalformedLine("no-outcome", "A round has dice, cards, or the reason why it has no result.", "/dice")
        ids = [wager.id for wager in self.wagers]
        if len(set(ids)) != len(ids):
            raise _repeated_wager_error(ids)
        _check_wagers(self.wagers)


def _all_items_match(pattern: str) -> Callable[[list[str]], bool]:
    """Matches a list of names with one regex, joined by newlines, which no name may contain. Faster than one by one."""
    match = re.compile(f"{pattern}(?:\n{pattern})*").fullmatch

    def all_match(names: list[str]) -> bool:
        if not names:
            return True
        joined = "\n".join(names)
        return joined.count("\n") == len(names) - 1 and match(joined) is not None

    return all_match


_are_names, _are_pseudonyms, _are_slugs = _all_items_match(NAME), _all_items_match(PSEUDONYM), _all_items_match(SLUG)


def _bad_name_message(wagers: tuple[Wager, ...]) -> str:
    """The error message in msgspec's format, so that explain_validation_error() can translate it."""
    for index, wager in enumerate(wagers):
        for member, pattern in (("id", NAME), ("player", PSEUDONYM), ("terminal", SLUG)):
            name = getattr(wager, member)
            if name is not None and not re.fullmatch(pattern, name):
                return f"Expected `str` matching regex {anchored_pattern(pattern)!r} - at `$.wagers[{index}].{member}`"
    raise AssertionError("Each is well named, and all of them together are not.")


def _check_wagers(wagers: tuple[Wager, ...]) -> None:
    # Fast path: most wagers have a seat and a final verdict and no changes, and need no further checks.
    if [one for one in wagers if one.seat is None or one.returned is None or one.verdict == "open" or one.changes]:
        _check_each_wager(wagers)


def _check_each_wager(wagers: tuple[Wager, ...]) -> None:
    for index, wager in enumerate(wagers):
        if wager.player is None and wager.seat is None and wager.terminal is None:
            raise MalformedLine("no-player", "A wager names its player, seat or terminal.", f"/wagers/{index}/player")
        if (wager.returned is None) is not (wager.verdict == "open"):
            message = "An open wager has returned nothing yet" if wager.verdict == "open" else "Say what was returned"
            raise MalformedLine("bad-returned", f"{message}.", f"/wagers/{index}/returned")
        for number, change in enumerate(wager.changes):
            _check_change(change, f"/wagers/{index}/changes/{number}")


def _repeated_wager_error(ids: Sequence[str]) -> MalformedLine:
    index = next(index for index, one in enumerate(ids) if one in ids[:index])
    return MalformedLine("repeated-wager", f"Two wagers have the id {ids[index]}.", f"/wagers/{index}/id")


def _check_change(change: Change, field: str) -> None:
    if change.what in ("raised", "lowered") and change.stake is None:
        raise MalformedLine("no-stake", "Say how much the wager was afterwards.", f"{field}/stake")
    if change.what == "moved" and change.bet is None:
        raise MalformedLine("no-bet", "Say where the wager was moved to.", f"{field}/bet")


def is_result_reported_correctly(played: Round) -> bool:
    """Whether the called, entered and displayed results all equal the dice or cards. True if there is no result."""
    faces = played.dice if played.dice is not None else played.cards
    reported = [each.faces for each in (played.called, played.entered, *played.displayed) if each is not None]
    if faces is None:
        return True
    total = played.called.total if played.called else None
    return all(sorted(each) == sorted(faces) for each in reported) and total in (None, sum(faces))
