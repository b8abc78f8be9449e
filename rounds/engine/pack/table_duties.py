"""`[duties]` of a pack: duties around a table that differ between rule sets.

In `Duties`, None means that the document was checked and says nothing about the subject.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from rounds.engine.pack.promotion_duties import Promotions
from rounds.engine.pack.vocabulary import Clause, Count, RoleWord, Tender


@dataclass(frozen=True, slots=True)
class LimitsShown:
    """Where the limits are displayed, and what the display may and must state."""

    # The limits hold for each player and box in every document.
    RETIRED_KEYS: ClassVar = ("counted",)

    clause: Clause
    where: Literal["sign", "terminal"]
    multiples_only_if_stated: bool
    may_state_a_unit: bool


@dataclass(frozen=True, slots=True)
class MinimumRaise:
    """A minimum may be raised only after a sign with these facts was displayed for `notice_minutes`."""

    clause: Clause
    notice_minutes: Count
    sign_shows: tuple[Literal["new-minimum", "time-of-change"], ...]
    changed_by: RoleWord
    removal_restarts_the_clock: bool


@dataclass(frozen=True, slots=True)
class PlayerLimitsRule:
    """One player may exceed the maximum if a sign displays that player's own limits."""

    # The sign shows all limits that the player has.
    RETIRED_KEYS: ClassVar = ("sign_shows",)

    clause: Clause
    allowed_by: RoleWord


@dataclass(frozen=True, slots=True)
class ClosureSign:
    """`closing_before_time`: how closing before the time on the sign counts, once the notice is complete. The document
    asks for a sign with the proposed time; whether that time binds is a matter of reading."""

    clause: Clause
    notice_minutes: Count
    sign_shows: tuple[Literal["time-of-closure"], ...]
    applies_when: tuple[Literal["players-present", "streak-in-progress"], ...]
    closed_by: RoleWord
    removal_restarts_the_clock: bool = True
    closing_before_time: Literal["note", "breach"] = "note"


@dataclass(frozen=True, slots=True)
class ClosureNotification:
    """`told` must be notified before the table closes. The document does not say how long before."""

    clause: Clause
    told: RoleWord


@dataclass(frozen=True, slots=True)
class StreakOffer:
    """Equipment that a table needs to offer Super Streak, and when streak wagers may be placed."""

    clause: Clause
    layouts: tuple[str, ...]
    screens: tuple[Literal["plasma", "lcd"], ...]
    placed_before: Literal["tumbled"]
    window_clause: Clause
    amount_clause: Clause
    amount_is_exact: bool


@dataclass(frozen=True, slots=True)
class StreakClosing:
    # Running wagers are settled when their streak ends, as any.
    RETIRED_KEYS: ClassVar = ("running_wagers",)

    clause: Clause
    notice_minutes: Count
    has_final_call: bool


# Values of a fault report's `effect` that mean the winning areas were not lit correctly.
LIGHTS_FAILED_EFFECTS = ("not-lit", "lit-wrongly")


@dataclass(frozen=True, slots=True)
class EquipmentFault:
    """Duties after a malfunction of the table's electronics. `told` and `settled_before` None: no such duty.

    `devices`: values of a fault report's `equipment` that this concerns. Any fault that fails to light the winning
    areas concerns it too."""

    clause: Clause
    told: RoleWord | None
    told_at_once: bool
    play_stops_until_mended: bool
    settled_before: RoleWord | None
    devices: tuple[str, ...] = ("electrical-device",)

    def concerns_lights(self, equipment: str, effect: str) -> bool:
        """Whether a fault affects the winning lights: it is of such a device, or the areas were not lit correctly."""
        return equipment in self.devices or effect in LIGHTS_FAILED_EFFECTS


@dataclass(frozen=True, slots=True)
class Interruption:
    """A technical interruption of the round, or of some terminals only."""

    # `[law.void]` and `[law.settlement]` say what is void and what is returned, and by which clause.
    RETIRED_KEYS: ClassVar = (
        "outcome_established",
        "outcome_not_established",
        "not_established_clause",
        "terminals_clause",
        "unregistered_clause",
    )

    clause: Clause
    established_clause: Clause
    registered_clause: Clause


@dataclass(frozen=True, slots=True)
class InspectionDuty:
    clause: Clause
    when: Literal["before-opening", "start-of-shift"]
    item: Literal["electrical-device", "automated-shaker"]
    inspected_by: RoleWord
    trials: Count
    proves: str
    # Each trial enters values, which the report states.
    enters_values: bool = False

    def completed_trials(self, trials: int, results: int) -> int:
        """The trials that count. Where values are entered or results reported, none do if those of a trial are
        missing: the report then does not show what was tried."""
        is_complete = results >= trials if self.enters_values or results else True
        return trials if is_complete else 0


@dataclass(frozen=True, slots=True)
class DiceCustody:
    """The longest time that dice may stay on a table once in a shaker. Exactly `at_most_hours` is allowed."""

    # Whose responsibility the shaker is can be seen in nothing that is reported.
    RETIRED_KEYS: ClassVar = ("custodian",)

    clause: Clause
    at_most_hours: Count


@dataclass(frozen=True, slots=True)
class ShakerSwap:
    """One kind of shaker must be removed from the table before the other may be used."""

    clause: Clause
    removed: Literal["automated"]
    before_using: Literal["manual"]


@dataclass(frozen=True, slots=True)
class OddsWording:
    clause: Clause
    words_allowed: tuple[str, ...]
    words_forbidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PostedOddsDuty:
    """The listed odds are minimums; the odds posted at the table must be paid."""

    # The clause by which posted odds are paid is in `[law.settlement]`.
    RETIRED_KEYS: ClassVar = ("paid_clause",)

    minimum_clause: Clause


@dataclass(frozen=True, slots=True)
class DisputeStep:
    """One step of the dispute ladder: who decides, at which stage, and who decides in that person's absence."""

    clause: Clause
    decided_by: RoleWord
    stage: Literal["first-instance", "review-if-requested", "final"]
    in_absence: RoleWord | None = None
    or_above: bool = False
    by_another_person: bool = False


@dataclass(frozen=True, slots=True)
class DisputeAdvice:
    """A right that a dissatisfied person must be informed of."""

    clause: Clause
    told_of: str
    right_to_see: RoleWord
    law: str = ""


@dataclass(frozen=True, slots=True)
class Disputes:
    """The dispute ladder. `uncovered_clause`: it also covers irregularities that the rules do not mention."""

    covers: tuple[str, ...]
    steps: tuple[DisputeStep, ...]
    advice: DisputeAdvice | None
    uncovered_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Invalidation:
    """Who may invalidate an outcome, on which grounds, and what happens to the wagers. `asks_rank` is False where the
    document names the operator rather than a position."""

    # The void reason `invalidated` says what happens to the wagers.
    RETIRED_KEYS: ClassVar = ("wagers", "wagers_clause")

    clause: Clause
    by: RoleWord
    grounds: tuple[Literal["disruption", "fraud"], ...]
    fraudster_may_forfeit: bool
    asks_rank: bool = True


@dataclass(frozen=True, slots=True)
class DeviceBan:
    clause: Clause
    by: RoleWord | None
    may: tuple[Literal["void-wagers", "exclude-from-game", "exclude-from-casino"], ...]
    may_clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class WagerRefusal:
    """Which wagers may be refused. `reaches`: those on the layout before no more bets, or only the future wagers of a
    repeat offender."""

    clause: Clause
    by: RoleWord
    needs_grounds: bool
    reaches: Literal["before-no-more-bets", "repeat-offender", "silent"] = "silent"


@dataclass(frozen=True, slots=True)
class ColourChips:
    """Chips without denomination. `elsewhere_if_closed`: redeemable elsewhere while their table is closed.
    `one_value_clause`: a player's chips of one colour have one value. `unless_declared_clause` is the clause of
    `value_unless_declared`. Both may be absent, because packs frozen earlier lack them."""

    clause: Clause
    only_at_table_clause: Clause
    redeemed_clause: Clause
    elsewhere_if_closed: bool
    marker_above_minimum_clause: Clause
    value_unless_declared: Literal["table-minimum", "silent"]
    several_colours_clause: Clause
    several_colours_by: RoleWord
    same_colour_needs_agreement_clause: Clause | None
    one_value_clause: Clause | None = None
    unless_declared_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Voucher:
    """A voucher is exchanged at the table for tokens of equal value, on the conditions printed on it."""

    # What a voucher was exchanged for is not reported, only what is wagered and paid.
    RETIRED_KEYS: ClassVar = ("exchanged_for",)

    clause: Clause
    winnings_paid_in: Tender


@dataclass(frozen=True, slots=True)
class IdlePlayers:
    # Whether the table is full is asked when the act is recorded.
    RETIRED_KEYS: ClassVar = ("only_if_table_is_full",)

    clause: Clause
    rounds: Count


@dataclass(frozen=True, slots=True)
class Partnerships:
    clause: Clause


@dataclass(frozen=True, slots=True)
class PayOrder:
    """Losing wagers are collected before winning ones are paid."""

    clause: Clause
    untouched_until_settled_clause: Clause | None


@dataclass(frozen=True, slots=True)
class Duties:
    # Copies of the rules are a page of the product, and later rounds are judged by their own facts.
    RETIRED_KEYS: ClassVar = ("late_discovery", "rules_copy")

    limits_shown: LimitsShown | None
    minimum_raise: MinimumRaise | None
    player_limits: PlayerLimitsRule | None
    closure_sign: ClosureSign | None
    closure_notification: ClosureNotification | None
    streak_offer: StreakOffer | None
    streak_closing: StreakClosing | None
    equipment_fault: EquipmentFault | None
    interruption: Interruption | None
    inspections: tuple[InspectionDuty, ...] | None
    dice_custody: DiceCustody | None
    shaker_swap: ShakerSwap | None
    odds_wording: OddsWording | None
    posted_odds: PostedOddsDuty | None
    disputes: Disputes | None
    invalidation: Invalidation | None
    device_ban: DeviceBan | None
    wager_refusal: WagerRefusal | None
    colour_chips: ColourChips | None
    voucher: Voucher | None
    idle_players: IdlePlayers | None
    partnerships: Partnerships | None
    pay_order: PayOrder | None
    promotions: Promotions | None
