"""Types of conduct acts, and what the rules in force say of each: clause, role, grounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compliance.tables.player_conduct import entry_kinds
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.intake.entry_kinds import INVALIDATION, WAGER_REFUSAL, WAGERS_VOIDED
from rounds.ledger import EntryKind


@dataclass(frozen=True)
class ActRules:
    """What a rule pack says of an act type: clause, required job title, permitted grounds. All empty when it says
    nothing."""

    clause: str = ""
    by: str | None = None
    grounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class ActType:
    """A type of conduct act. `extra_fields` are the form fields beyond person, time and grounds."""

    kind: EntryKind
    title: str
    grounds: Sequence[tuple[str, str]]
    find_rules: Callable[[engine_pack.Duties], ActRules]
    extra_fields: frozenset[str] = frozenset()

    def rules_in(self, pack: Pack | None) -> ActRules:
        return self.find_rules(pack.duties) if pack else ActRules()


def _refusal_rules(duties: engine_pack.Duties) -> ActRules:
    duty = duties.wager_refusal
    return ActRules(duty.clause, duty.by) if duty else ActRules()


def _device_ban_rules(duties: engine_pack.Duties, power: str) -> ActRules:
    ban = duties.device_ban
    if ban is None or power not in ban.may:
        return ActRules()
    return ActRules(ban.may_clauses[ban.may.index(power)], ban.by)


def _invalidation_rules(duties: engine_pack.Duties) -> ActRules:
    duty = duties.invalidation
    return ActRules(duty.clause, duty.by, tuple(duty.grounds)) if duty else ActRules()


def _touching_rules(duties: engine_pack.Duties) -> ActRules:
    clause = duties.pay_order.untouched_until_settled_clause if duties.pay_order else None
    return ActRules(clause or "")


def _partnership_rules(duties: engine_pack.Duties) -> ActRules:
    return ActRules(duties.partnerships.clause) if duties.partnerships else ActRules()


def _idle_player_rules(duties: engine_pack.Duties) -> ActRules:
    return ActRules(duties.idle_players.clause) if duties.idle_players else ActRules()


DEVICE = ("device", "A device to count, record or predict")
DISRUPTION = ("disruption", "Commotion, fire, brawl, robbery or the like")
FRAUD = ("fraud", "Fraud that affects the outcome")
WAGERS, ROUNDS, FORFEITS, SCOPE = "wagers", "rounds", "forfeits", "scope"

ACT_TYPES: dict[str, ActType] = {
    sort.kind: sort
    for sort in (
        ActType(
            WAGER_REFUSAL,
            "Refuse a wager",
            (
                ("limits", "Outside the table’s limits"),
                ("late", "Too late to be placed"),
                ("touching", "Touched wagers again"),
                ("identity", "The person may not play"),
                ("other", "Another ground"),
            ),
            _refusal_rules,
            frozenset({WAGERS}),
        ),
        ActType(
            WAGERS_VOIDED,
            "Void a person’s wagers",
            (DEVICE,),
            lambda duties: _device_ban_rules(duties, "void-wagers"),
            frozenset({ROUNDS, WAGERS}),
        ),
        ActType(
            entry_kinds.EXCLUSION,
            "Exclude a person",
            (DEVICE, ("other", "Another ground")),
            lambda duties: _device_ban_rules(duties, "exclude-from-game"),
            frozenset({SCOPE}),
        ),
        ActType(
            INVALIDATION,
            "Invalidate an outcome",
            (DISRUPTION, FRAUD),
            _invalidation_rules,
            frozenset({ROUNDS, FORFEITS}),
        ),
        ActType(
            entry_kinds.WAGER_TOUCHED,
            "Somebody touched wagers",
            (("first", "First time"), ("again", "Again, after being told")),
            _touching_rules,
            frozenset({ROUNDS}),
        ),
        ActType(
            entry_kinds.PARTNERSHIP,
            "Betting in partnership",
            (("together", "Wagers on one box that go together"),),
            _partnership_rules,
            frozenset({ROUNDS, WAGERS}),
        ),
        ActType(
            entry_kinds.IDLE_PLAYER,
            "Ask a player who does not bet to leave",
            (("idle", "No wager in the last rounds while all places were in use"),),
            _idle_player_rules,
        ),
    )
}
