"""Recording an act of conduct: the act in the ledger, the person beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.accounts.models import RoleHeld, User
from compliance.accounts.roles import Role
from compliance.conduct.errors import (
    GroundsNotKnown,
    HasWagered,
    NobodyNamed,
    NoForfeit,
    NotTheRank,
    NotYetSo,
    UnknownRound,
    UnknownWager,
)
from compliance.conduct.models import ConductAct
from compliance.conduct.selectors import find_round, idle_rounds, is_of, wagers_in
from compliance.conduct.sorts import SORTS, Ruled
from compliance.patrons.services import keep_personal
from compliance.patrons.subjects import CONDUCT
from rounds.engine.packs import Pack
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.intake.ringing import ring_followers
from rounds.ledger.following import Recorded
from rounds.ledger.rows import write_row
from rounds.rulebook.selectors import roles_meant

MAY_RECORD = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})


@dataclass(frozen=True, kw_only=True)
class Said:
    """What somebody says about a person's conduct. `person` is personal: a name, a description, a note."""

    kind: str
    grounds: str
    at: datetime
    seat: int | None = None
    player: str = ""
    scope: str = ""
    rounds: Sequence[str] = ()
    wagers: Sequence[str] = ()
    forfeited: Sequence[str] = ()
    person: Mapping[str, str] = field(default_factory=dict)


@transaction.atomic
def record_conduct(*, table: Table, said: Said, actor: User, now: datetime) -> ConductAct:
    """Whoever the rules of the table give it to records it; where they are silent, any supervisor does."""
    pack = pack_for(table, said.at)
    sort = SORTS[said.kind]
    ruled = sort.by_the_rules(pack)
    acted_as = _rank(actor, table, pack, ruled)
    _check(said, now, ruled)
    found = [_find(table, name) for name in said.rounds]
    rounds = sorted({entry.index for entry in found})
    if said.kind == "idle-player":
        rounds = _idle(table, said, pack)
    act = ConductAct(
        casino=table.casino, table=table, kind=said.kind, at=said.at, grounds=said.grounds,
        clause=_clause(said, pack, ruled), scope=said.scope, seat=said.seat, player=said.player, rounds=rounds,
        wagers=_meant(said, found), forfeited=_forfeited(said, found, pack), by=actor, by_name=actor.name,
        acted_as=acted_as.value, recorded_at=now,
    )  # fmt: skip
    person = {name: words for name, words in said.person.items() if words}
    if person:
        act.personal = keep_personal(
            casino=table.casino, subject=CONDUCT, reference=f"{sort.title}, {table.slug}", fields=person,
            carried_by=said.kind, actor=actor, now=now,
        )  # fmt: skip
    write_row(act, kind=said.kind, log=table.casino.slug, table=table.slug, now=now)
    ring_followers()
    return act


def _rank(actor: User, table: Table, pack: Pack | None, ruled: Ruled) -> Role:
    meant = roles_meant(pack, ruled.by) if pack else ()
    may = frozenset(meant) & MAY_RECORD or MAY_RECORD
    held = RoleHeld.objects.current().filter(user=actor, casino=table.casino, user__is_active=True)
    roles = {Role(role) for role in held.values_list("role", flat=True)}
    ranked = (Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR)
    acted_as = next((role for role in ranked if role in roles and role in may), None)
    if acted_as is None:
        raise NotTheRank(f"That is for the {ruled.by} ({ruled.clause})." if ruled.by else "")
    return acted_as


def _check(said: Said, now: datetime, ruled: Ruled) -> None:
    if said.at > now:
        raise NotYetSo
    is_about_rounds = said.kind == "invalidation" and not said.forfeited
    if said.seat is None and not said.player and not is_about_rounds:
        raise NobodyNamed
    if said.grounds not in dict(SORTS[said.kind].grounds):
        raise GroundsNotKnown
    if ruled.grounds and said.grounds not in ruled.grounds:
        raise GroundsNotKnown(f"The rules of this table do not know these grounds ({ruled.clause}).")


def _clause(said: Said, pack: Pack | None, ruled: Ruled) -> str:
    """The clause that gives the power; of an exclusion from the casino, its own."""
    ban = pack.duties.device_ban if pack else None
    if said.kind == "exclusion" and said.scope == "casino" and ban and "exclude-from-casino" in ban.may:
        return str(ban.may_clauses[ban.may.index("exclude-from-casino")])
    return ruled.clause


def _find(table: Table, name: str) -> Recorded:
    found = find_round(table, name)
    if found is None:
        raise UnknownRound(f"{name} is no round of this table.")
    return found


def _meant(said: Said, rounds: Sequence[Recorded]) -> list[str]:
    """Those that were named. Void wagers that nobody named are all that the person made in these rounds."""
    if said.wagers or said.kind != "wagers-voided":
        return _wagers(said.wagers, rounds)
    theirs = list(wagers_in(rounds, lambda wager: is_of(wager, said.seat, said.player)))
    if not theirs:
        raise UnknownWager("That person made no wager in these rounds.")
    return theirs


def _wagers(named: Sequence[str], rounds: Sequence[Recorded]) -> list[str]:
    """By their own numbers, in the rounds that were given; a refused wager is in no round."""
    if not rounds:
        return list(named)
    known = {each.partition(":")[2]: each for each in wagers_in(rounds)}
    missing = [name for name in named if name not in known]
    if missing:
        raise UnknownWager(f"Wager {missing[0]} is in none of these rounds.")
    return [known[name] for name in named]


def _forfeited(said: Said, rounds: Sequence[Recorded], pack: Pack | None) -> list[str]:
    if not said.forfeited:
        return []
    duty: Any = pack.duties.invalidation if pack else None
    if said.kind != "invalidation" or said.grounds != "fraud" or (duty and not duty.fraudster_may_forfeit):
        raise NoForfeit
    return _wagers(said.forfeited, rounds)


def _idle(table: Table, said: Said, pack: Pack | None) -> list[int]:
    duty = pack.duties.idle_players if pack else None
    if duty is None:
        return []
    found = idle_rounds(table, duty.rounds, until=said.at, seat=said.seat, player=said.player)
    if found is None:
        raise HasWagered(
            f"Not all of the last {duty.rounds} rounds with a result passed without a wager of theirs ({duty.clause})."
        )
    return found
