"""`[law]` of a pack: what a result pays. It is the only part that a reading may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from rounds.engine.bets.win_conditions import Predicate
from rounds.engine.pack.vocabulary import BetCode, Clause, Count, VoidReasonName


@dataclass(frozen=True, slots=True)
class WagerType:
    """One kind of wager: the boxes it can be placed on, and when each of its levels wins.

    A wager that pays by how many dice show its number has several levels; every other has the single level `win`.
    """

    name: str
    bets: tuple[BetCode, ...]
    wins: Mapping[str, Predicate]
    clause: Clause | None = None
    wins_by: Clause | None = None
    loses_by: Clause | None = None
    is_optional: bool = False
    to_be_confirmed: str = ""


@dataclass(frozen=True, slots=True)
class PayRow:
    """One row of a printed pay table: the odds of one level of a wager, for all of its boxes or only for `bets`."""

    wager: str
    odds: Fraction
    level: str = "win"
    bets: tuple[BetCode, ...] = ()
    clause: Clause | None = None
    is_minimum: bool = False

    def pays(self, code: str) -> bool:
        """Whether this row applies to that box of its wager."""
        return not self.bets or code in self.bets


@dataclass(frozen=True, slots=True)
class PayTable:
    """`wagers_clause`: the clause that lists the permitted wagers, where it is not that of the pay table."""

    clause: Clause
    pays: Mapping[str, PayRow]
    layout: str = ""
    wagers_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class StreakPair:
    """Two mutually exclusive directions. A result that is neither neutral nor one of them ends a streak of either."""

    # The clauses of the streak itself are cited.
    RETIRED_KEYS: ClassVar = ("clause",)

    directions: Mapping[str, Predicate]
    neutral: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class StreakRules:
    """Super Streak: a wager on a run of results, settled when the run ends."""

    name: str
    clause: Clause
    pairs: Mapping[str, StreakPair]
    pays: Mapping[str, Fraction]
    pays_clause: Clause
    longest: Count
    wins_by: Clause
    loses_by: Clause
    counts_from: Literal["first-result-after", "opening-result", "first-result-sets-direction"]
    on_fault: Literal["settle-at-count", "refund"]
    fault_clause: Clause
    neutral_clause: Clause
    no_result_clause: Clause

    def odds_at(self, count: int) -> Fraction | None:
        return self.pays.get(str(count))


@dataclass(frozen=True, slots=True)
class VoidReason:
    """A reason for which this document voids a round, and the effect on other rounds and on streaks."""

    # `covers` says which rounds are void; all others stand.
    RETIRED_KEYS: ClassVar = ("earlier_rounds",)

    clause: Clause
    covers: Literal["this-round", "all-affected-rounds"] = "this-round"
    on_streak: Literal["freeze", "refund"] = "freeze"
    stakes_clause: Clause | None = None
    may_forfeit: bool = False
    needs_touch_screen: bool = False
    # The reason does not apply at tables with this equipment.
    never_with: Literal["", "manual-shaker"] = ""
    # A fault report about such equipment with such an effect, which names the round, gives this reason.
    fault_of: tuple[str, ...] = ()
    fault_effects: tuple[str, ...] = ()
    # An interrupted round is concluded instead of void (`duties.interruption`) once its outcome is established.
    established_by: Literal["any-bet-decided", "all-dice-read"] = "all-dice-read"
    note: str = ""


@dataclass(frozen=True, slots=True)
class OverMaximum:
    """A stake above the maximum: settled up to the maximum; the rest is handed back."""

    # The maximum holds for each player and box in every document.
    RETIRED_KEYS: ClassVar = ("counted",)

    clause: Clause
    found_on_a_later_game: Literal["stands", "silent"]


@dataclass(frozen=True, slots=True)
class UnderMinimum:
    # A procedure of the pack says how long a warning lasts.
    RETIRED_KEYS: ClassVar = ("warning_lasts",)

    clause: Clause
    settled: Literal["valid", "once-then-returned"]


@dataclass(frozen=True, slots=True)
class Payable:
    """Rounding of winnings that cannot be paid exactly with the chips of the table."""

    clause: Clause
    smallest_unit_cents: Count
    gap: Literal["up", "down"]
    lower_multiple_of: Literal["stake", "payout"]


@dataclass(frozen=True, slots=True)
class PromotionalToken:
    clause: Clause
    on_win: Literal["kept", "returned"]


@dataclass(frozen=True, slots=True)
class LightsFailed:
    """The result that settles wagers if the winning areas did not light, or lit wrongly."""

    clause: Clause
    settled_by: Literal["dice", "called"]


@dataclass(frozen=True, slots=True)
class Unregistered:
    clause: Clause


@dataclass(frozen=True, slots=True)
class SettlementRules:
    """Settlement rules besides odds and win conditions. None: the document says nothing about it."""

    over_maximum: OverMaximum | None
    under_minimum: UnderMinimum | None
    payable: Payable | None
    promotional_token: PromotionalToken | None
    lights_failed: LightsFailed | None
    unregistered: Unregistered | None
    void_stakes_clause: Clause | None
    posted_odds_clause: Clause | None


@dataclass(frozen=True, slots=True)
class TripleWinner:
    clause: Clause
    bets: tuple[BetCode, ...]


@dataclass(frozen=True, slots=True)
class BetsWonOnlyOnTriple:
    """The document's own list of bets that win on a triple. validate_law compares it with the pay tables."""

    clause: Clause
    winners: tuple[TripleWinner, ...]

    @property
    def bets(self) -> frozenset[str]:
        return frozenset(code for winner in self.winners for code in winner.bets)


@dataclass(frozen=True, slots=True)
class Law:
    wager: Mapping[str, WagerType]
    pay_table: Mapping[str, PayTable]
    void: Mapping[VoidReasonName, VoidReason]
    settlement: SettlementRules
    streak: StreakRules | None
    on_triple_only_wins: BetsWonOnlyOnTriple | None
