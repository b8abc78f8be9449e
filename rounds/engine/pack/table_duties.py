"""`[duties]` of a pack: duties around a table that differ between rule sets.

In `Duties`, None means that the document was checked and says nothing about the subject.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rounds.engine.pack.promotion_duties import Promotions
from rounds.engine.pack.vocabulary import Clause, Count, RoleWord, Tender


@dataclass(frozen=True, slots=True)
class LimitsShown:
    """Where the limits are displayed, and how they are counted."""

    clause: Clause
    where: Literal["sign", "terminal"]
    counted: Literal["per-player", "per-player-per-box"]
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

    clause: Clause
    allowed_by: RoleWord
    sign_shows: tuple[Literal["new-minimum", "new-maximum"], ...]


@dataclass(frozen=True, slots=True)
class ClosureSign:
    clause: Clause
    notice_minutes: Count
    sign_shows: tuple[Literal["time-of-closure"], ...]
    applies_when: tuple[Literal["players-present", "streak-in-progress"], ...]
    closed_by: RoleWord
    removal_restarts_the_clock: bool = True


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
    clause: Clause
    notice_minutes: Count
    has_final_call: bool
    running_wagers: Literal["stay-until-determined"]


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

    clause: Clause
    outcome_established: Literal["round-concludes"]
    outcome_not_established: Literal["void"]
    established_clause: Clause
    not_established_clause: Clause
    terminals_clause: Clause
    registered_clause: Clause
    unregistered_clause: Clause


@dataclass(frozen=True, slots=True)
class InspectionDuty:
    clause: Clause
    when: Literal["before-opening", "start-of-shift"]
    item: Literal["electrical-device", "automated-shaker"]
    inspected_by: RoleWord
    trials: Count
    proves: str


@dataclass(frozen=True, slots=True)
class DiceCustody:
    """The longest time that dice may stay on a table once in a shaker. Exactly `at_most_hours` is allowed."""

    clause: Clause
    at_most_hours: Count
    custodian: RoleWord


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

    minimum_clause: Clause
    paid_clause: Clause


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

    clause: Clause
    by: RoleWord
    grounds: tuple[Literal["disruption", "fraud"], ...]
    wagers: Literal["refunded"]
    wagers_clause: Clause | None
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
    """Chips without denomination. `elsewhere_if_closed`: redeemable elsewhere while their table is closed."""

    clause: Clause
    only_at_table_clause: Clause
    redeemed_clause: Clause
    elsewhere_if_closed: bool
    marker_above_minimum_clause: Clause
    value_unless_declared: Literal["table-minimum", "silent"]
    several_colours_clause: Clause
    several_colours_by: RoleWord
    same_colour_needs_agreement_clause: Clause | None


@dataclass(frozen=True, slots=True)
class Voucher:
    """A voucher is exchanged at the table for tokens of equal value, on the conditions printed on it."""

    clause: Clause
    exchanged_for: Tender
    winnings_paid_in: Tender


@dataclass(frozen=True, slots=True)
class IdlePlayers:
    clause: Clause
    rounds: Count
    only_if_table_is_full: bool


@dataclass(frozen=True, slots=True)
class RulesCopy:
    clause: Clause
    on_request: bool
    for_purchase: bool


@dataclass(frozen=True, slots=True)
class Partnerships:
    clause: Clause


@dataclass(frozen=True, slots=True)
class PayOrder:
    """Losing wagers are collected before winning ones are paid."""

    clause: Clause
    untouched_until_settled_clause: Clause | None


@dataclass(frozen=True, slots=True)
class LateDiscovery:
    """An error discovered after the next round began does not affect the later rounds."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class Duties:
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
    rules_copy: RulesCopy | None
    partnerships: Partnerships | None
    pay_order: PayOrder | None
    late_discovery: LateDiscovery | None
    promotions: Promotions | None
