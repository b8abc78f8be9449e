"""How a round is conducted under one document: what begins it, the order of its events, what fixes the wagers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rounds.engine.pack.vocabulary import Clause, Count, EventName, RoleWord, Tender


@dataclass(frozen=True, slots=True)
class Commencement:
    """The event at which a round begins: the rule version in force at that instant governs the round."""

    event: EventName
    clause: Clause


@dataclass(frozen=True, slots=True)
class Precedence:
    """One event must come before another, at tables that have the equipment named."""

    first: EventName
    then: EventName
    clause: Clause
    only_with: Literal["", "touch-screen", "manual-shaker", "automated-shaker"] = ""


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    """The cut-off is the earliest recorded of these events."""

    events: tuple[EventName, ...]
    clause: Clause


@dataclass(frozen=True, slots=True)
class WagersFixed:
    """The instant at which the position of the wagers is what will be settled."""

    event: EventName
    clause: Clause
    placed_before: EventName | None
    needs_registration: bool


@dataclass(frozen=True, slots=True)
class LateWagers:
    """What becomes of a wager touched after the cut-off."""

    clause: Clause
    placed: Literal["not-valid", "silent"]
    increased: Literal["base-stands", "silent"]
    withdrawn: Literal["still-settled", "silent"]
    withdrawn_clause: Clause | None


@dataclass(frozen=True, slots=True)
class Agitation:
    """How many times the dice must be tumbled, or the trigger worked, or the shaker shaken."""

    at_least: Count
    counted: Literal["tumbles", "triggers", "shakes"]
    clause: Clause
    only_with: Literal["", "manual-shaker"] = ""


@dataclass(frozen=True, slots=True)
class ResultSource:
    """What decides where sources disagree, and what is to be disregarded."""

    source: Literal["dice", "cards"]
    clause: Clause
    disregarded: tuple[str, ...] = ()
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
    """What may be wagered with. A tender that is not accepted is a finding; it does not alter the settlement."""

    clause: Clause
    accepted: tuple[Tender, ...]
    refused: tuple[Tender, ...] = ()
    refused_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class SpokenWagers:
    clause: Clause
    accompanied_by: tuple[Tender, ...]
    never_with: tuple[Tender, ...] = ()
    needs_time_before: EventName | None = None


@dataclass(frozen=True, slots=True)
class Cards:
    """What a shoe must hold."""

    clause: Clause
    fewest_decks: Count
    most_decks: Count
    cards_a_deck: Count
    cards_a_face: Count


@dataclass(frozen=True, slots=True)
class Conduct:
    """None: the document is silent. Where it is silent on commencement, a round begins with its first event."""

    commencement: Commencement | None
    order: tuple[Precedence, ...]
    no_more_bets: NoMoreBets
    wagers_fixed: WagersFixed
    late_wagers: LateWagers | None
    agitation: Agitation | None
    result: ResultSource
    call: ResultCall | None
    entry: ResultEntry | None
    tenders: Tenders | None
    spoken_wagers: SpokenWagers | None
    cards: Cards | None
