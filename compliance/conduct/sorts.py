"""The sorts of conduct that are recorded, and what the rules in force say of each: clause, rank, grounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rounds.engine.duties import Duties
from rounds.engine.packs import Pack


@dataclass(frozen=True)
class Ruled:
    """What a document says: which clause, by whose word, on which grounds. Silence is no clause and nobody's word."""

    clause: str = ""
    by: str | None = None
    grounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sort:
    """`asks` are the fields that its form has beyond person, time and grounds."""

    kind: str
    title: str
    meaning: str
    grounds: Sequence[tuple[str, str]]
    ruled: Callable[[Duties], Ruled]
    asks: frozenset[str] = frozenset()

    def by_the_rules(self, pack: Pack | None) -> Ruled:
        return self.ruled(pack.duties) if pack else Ruled()


def _refusal(duties: Duties) -> Ruled:
    duty = duties.wager_refusal
    return Ruled(duty.clause, duty.by) if duty else Ruled()


def _device(duties: Duties, what: str) -> Ruled:
    ban = duties.device_ban
    if ban is None or what not in ban.may:
        return Ruled()
    return Ruled(ban.may_clauses[ban.may.index(what)], ban.by)


def _invalidation(duties: Duties) -> Ruled:
    duty = duties.invalidation
    return Ruled(duty.clause, duty.by, tuple(duty.grounds)) if duty else Ruled()


def _touching(duties: Duties) -> Ruled:
    clause = duties.pay_order.untouched_until_settled_clause if duties.pay_order else None
    return Ruled(clause or "")


def _partnership(duties: Duties) -> Ruled:
    return Ruled(duties.partnerships.clause) if duties.partnerships else Ruled()


def _idle(duties: Duties) -> Ruled:
    return Ruled(duties.idle_players.clause) if duties.idle_players else Ruled()


DEVICE = ("device", "A device to count, record or predict")
DISRUPTION = ("disruption", "Commotion, fire, brawl, robbery or the like")
FRAUD = ("fraud", "Fraud that affects the outcome")
WAGERS, ROUNDS, FORFEITS, SCOPE = "wagers", "rounds", "forfeits", "scope"

SORTS = {
    sort.kind: sort
    for sort in (
        Sort(
            "wager-refusal", "Refuse a wager", "A wager was refused, on which grounds and by whom.",
            (
                ("limits", "Outside the table’s limits"), ("late", "Too late to be placed"),
                ("touching", "Touched wagers again"), ("identity", "The person may not play"),
                ("other", "Another ground"),
            ),
            _refusal, frozenset({WAGERS}),
        ),
        Sort(
            "wagers-voided", "Void a person’s wagers", "A person’s wagers were declared void.",
            (DEVICE,), lambda duties: _device(duties, "void-wagers"), frozenset({ROUNDS, WAGERS}),
        ),
        Sort(
            "exclusion", "Exclude a person", "A person was excluded from the game or from the casino.",
            (DEVICE, ("other", "Another ground")), lambda duties: _device(duties, "exclude-from-game"),
            frozenset({SCOPE}),
        ),
        Sort(
            "invalidation", "Invalidate an outcome",
            "The outcome of rounds was invalidated; wagers are refunded or forfeited.",
            (DISRUPTION, FRAUD), _invalidation, frozenset({ROUNDS, FORFEITS}),
        ),
        Sort(
            "wager-touched", "Somebody touched wagers", "A player touched wagers before they were settled.",
            (("first", "First time"), ("again", "Again, after being told")), _touching, frozenset({ROUNDS}),
        ),
        Sort(
            "partnership", "Betting in partnership", "Players bet together to exceed the maximum.",
            (("together", "Wagers on one box that go together"),), _partnership, frozenset({ROUNDS, WAGERS}),
        ),
        Sort(
            "idle-player", "Ask a player who does not bet to leave", "A player who did not bet was asked to leave.",
            (("idle", "No wager in the last rounds while all places were in use"),), _idle,
        ),
    )
}  # fmt: skip
