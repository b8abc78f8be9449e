"""`[conduct]` of a pack: what begins a round, the order of its events, and when wagers are final."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from rounds.engine.pack.vocabulary import Clause, Count, EventName, RoleWord, Tender


@dataclass(frozen=True, slots=True)
class Commencement:
    """The event that begins a round. The rule version in force at that time applies to the whole round."""

    event: EventName
    clause: Clause


@dataclass(frozen=True, slots=True)
class Precedence:
    """One event must come before another. `only_with`: only at tables with this equipment."""

    first: EventName
    then: EventName
    clause: Clause
    only_with: Literal["", "touch-screen", "manual-shaker", "automated-shaker"] = ""


@dataclass(frozen=True, slots=True)
class RequiredEvent:
    """One of these events must be recorded in every round with a result; with `after`, only in rounds with that event
    too."""

    any_of: tuple[EventName, ...]
    clause: Clause
    after: EventName | None = None
    only_with: Literal["", "touch-screen", "manual-shaker", "automated-shaker"] = ""


@dataclass(frozen=True, slots=True)
class ForbiddenEvent:
    """An event that must not occur at tables with this equipment."""

    event: EventName
    clause: Clause
    only_with: Literal["touch-screen", "manual-shaker", "automated-shaker"]


@dataclass(frozen=True, slots=True)
class BettingOpens:
    """The event from which wagers may be placed."""

    event: EventName
    clause: Clause


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """The cut-off for wagers: the earliest recorded of these events."""

    events: tuple[EventName, ...]
    clause: Clause


@dataclass(frozen=True, slots=True)
class LateWagers:
    """Treatment of a wager placed, increased or withdrawn after the cut-off."""

    clause: Clause
    placed: Literal["not-valid", "silent"]
    increased: Literal["base-stands", "silent"]
    withdrawn: Literal["still-settled", "silent"]
    withdrawn_clause: Clause | None


@dataclass(frozen=True, slots=True)
class Agitation:
    """The minimum number of tumbles, trigger pulls or shakes. `before` and `after`: the events between which they
    count, where the document says so."""

    at_least: Count
    counted: Literal["tumbles", "triggers", "shakes"]
    clause: Clause
    only_with: Literal["", "manual-shaker"] = ""
    before: EventName | None = None
    after: EventName | None = None


@dataclass(frozen=True, slots=True)
class ResultSource:
    """The source that decides the result if sources disagree, and the sources to disregard."""

    # Whatever is displayed beside the result is disregarded.
    RETIRED_KEYS: ClassVar = ("disregarded",)

    source: Literal["dice", "cards"]
    clause: Clause
    disregarded_clause: Clause | None = None
    wrong_entry_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class ResultCall:
    clause: Clause
    called_by: tuple[RoleWord, ...]
    is_low_to_high: bool
    names_the_total: bool


@dataclass(frozen=True, slots=True)
class ResultEntry:
    clause: Clause
    entered_by: tuple[RoleWord, ...]
    lights_winners: bool


@dataclass(frozen=True, slots=True)
class Tenders:
    """What may be wagered with. A wager in another tender is a finding, but is settled as usual."""

    clause: Clause
    accepted: tuple[Tender, ...]
    refused: tuple[Tender, ...] = ()
    refused_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class WithinBox:
    """Wagers must lie wholly within the lines of their boxes. One that does not is a finding, but is settled as
    usual."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class SpokenWagers:
    clause: Clause
    accompanied_by: tuple[Tender, ...]
    never_with: tuple[Tender, ...] = ()
    needs_time_before: EventName | None = None


@dataclass(frozen=True, slots=True)
class DamagedDice:
    """Dice that were removed as damaged must not be used again."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class SealedDice:
    """Dice are sealed inside the tumbler or shaker."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards that a shoe must contain. `is_dealt_down`: no card returns to the shoe before the next one is put into
    play."""

    clause: Clause
    fewest_decks: Count
    most_decks: Count
    cards_a_deck: Count
    cards_a_face: Count
    is_dealt_down: bool = False


@dataclass(frozen=True, slots=True)
class Conduct:
    """The conduct of a round. None: the document says nothing about it. Without `commencement`, a round begins with its
    first event."""

    # `no_more_bets` says which wagers are settled, and `law.settlement` what becomes of unregistered ones.
    RETIRED_KEYS: ClassVar = ("wagers_fixed",)

    commencement: Commencement | None
    order: tuple[Precedence, ...]
    no_more_bets: NoMoreBets
    late_wagers: LateWagers | None
    agitation: Agitation | None
    result: ResultSource
    call: ResultCall | None
    entry: ResultEntry | None
    tenders: Tenders | None
    spoken_wagers: SpokenWagers | None
    cards: Cards | None
    required_events: tuple[RequiredEvent, ...] = ()
    forbidden_events: tuple[ForbiddenEvent, ...] = ()
    betting_opens: BettingOpens | None = None
    damaged_dice: DamagedDice | None = None
    within_box: WithinBox | None = None
    sealed_dice: SealedDice | None = None
