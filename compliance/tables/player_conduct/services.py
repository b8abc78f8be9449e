"""Records an act of conduct in the ledger, and withdraws an exclusion. Personal details are stored separately."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.privacy.personal_data.services import store_personal_details
from compliance.privacy.personal_data.subjects import CONDUCT
from compliance.tables.player_conduct.act_types import ACT_TYPES, ActRules
from compliance.tables.player_conduct.entry_kinds import EXCLUSION, IDLE_PLAYER
from compliance.tables.player_conduct.errors import (
    GroundsNotKnown,
    HasWagered,
    NoForfeit,
    NoPersonNamed,
    RankNotPermitted,
    TimeInFuture,
    UnknownRound,
    UnknownWager,
)
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.selectors import find_round, idle_rounds, is_wager_of, wagers_in
from rounds.engine import Pack
from rounds.floor.models import Table
from rounds.floor.selectors import pack_for
from rounds.intake.entry_kinds import INVALIDATION, WAGERS_VOIDED
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger import LogEntry, write_row
from rounds.rulebook.selectors import roles_for_title

MAY_RECORD = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})


@dataclass(frozen=True, kw_only=True)
class ConductReport:
    """Input for a conduct act. `person` holds personal details: a name, a description, a note."""

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
def record_conduct(*, table: Table, report: ConductReport, actor: User, now: datetime) -> ConductAct:
    """Records an act. Allowed for the role that the table's rules name; when they name none, for any supervisor."""
    pack = pack_for(table, report.at)
    act_type = ACT_TYPES[report.kind]
    act_rules = act_type.rules_in(pack)
    acted_as = _acting_role(actor, table, pack, act_rules)
    _validate_report(report, now, act_rules)
    entries = [_find_round(table, name) for name in report.rounds]
    rounds = sorted({entry.index for entry in entries})
    if report.kind == IDLE_PLAYER:
        rounds = _find_idle_rounds(table, report, pack)
    act = ConductAct(
        casino=table.casino,
        table=table,
        kind=report.kind,
        at=report.at,
        grounds=report.grounds,
        clause=_governing_clause(report, pack, act_rules),
        scope=report.scope,
        seat=report.seat,
        player=report.player,
        rounds=rounds,
        wagers=_affected_wagers(report, entries),
        forfeited=_forfeited_wagers(report, entries, pack),
        by=actor,
        by_name=actor.name,
        acted_as=acted_as.value,
        recorded_at=now,
    )
    person = {name: value for name, value in report.person.items() if value}
    if person:
        act.personal = store_personal_details(
            casino=table.casino,
            subject=CONDUCT,
            reference=f"{act_type.title}, {table.slug}",
            fields=person,
            carried_by=report.kind,
            actor=actor,
            now=now,
        )
    write_row(act, kind=report.kind, log=table.casino.slug, table=table.slug, now=now)
    wake_consumers()
    return act


def _acting_role(actor: User, table: Table, pack: Pack | None, act_rules: ActRules) -> Role:
    required = roles_for_title(pack, act_rules.by) if pack else ()
    may = frozenset(required) & MAY_RECORD or MAY_RECORD
    assignments = RoleAssignment.objects.current().filter(user=actor, casino=table.casino, user__is_active=True)
    roles = {Role(role) for role in assignments.values_list("role", flat=True)}
    ranked = (Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR)
    acted_as = next((role for role in ranked if role in roles and role in may), None)
    if acted_as is None:
        raise RankNotPermitted(f"That is for the {act_rules.by} ({act_rules.clause})." if act_rules.by else "")
    return acted_as


def _validate_report(report: ConductReport, now: datetime, act_rules: ActRules) -> None:
    if report.at > now:
        raise TimeInFuture
    is_about_rounds = report.kind == INVALIDATION and not report.forfeited
    if report.seat is None and not report.player and not is_about_rounds:
        raise NoPersonNamed
    if report.grounds not in dict(ACT_TYPES[report.kind].grounds):
        raise GroundsNotKnown
    if act_rules.grounds and report.grounds not in act_rules.grounds:
        raise GroundsNotKnown(f"The rules of this table do not know these grounds ({act_rules.clause}).")


def _governing_clause(report: ConductReport, pack: Pack | None, act_rules: ActRules) -> str:
    """The clause that gives the power. An exclusion from the whole casino has a clause of its own."""
    ban = pack.duties.device_ban if pack else None
    if report.kind == EXCLUSION and report.scope == "casino" and ban and "exclude-from-casino" in ban.may:
        return str(ban.may_clauses[ban.may.index("exclude-from-casino")])
    return act_rules.clause


def _find_round(table: Table, name: str) -> LogEntry:
    found = find_round(table, name)
    if found is None:
        raise UnknownRound(f"{name} is no round of this table.")
    return found


def _affected_wagers(report: ConductReport, rounds: Sequence[LogEntry]) -> list[str]:
    """The wagers named in the report. For voided wagers without names, all wagers of the person in these rounds."""
    if report.wagers or report.kind != WAGERS_VOIDED:
        return _wagers_by_number(report.wagers, rounds)
    own_wagers = list(wagers_in(rounds, lambda wager: is_wager_of(wager, report.seat, report.player)))
    if not own_wagers:
        raise UnknownWager("That person made no wager in these rounds.")
    return own_wagers


def _wagers_by_number(named: Sequence[str], rounds: Sequence[LogEntry]) -> list[str]:
    """Looks the wagers up in the given rounds. Without rounds the names are taken as they are: a refused wager is in no
    round."""
    if not rounds:
        return list(named)
    known = {each.partition(":")[2]: each for each in wagers_in(rounds)}
    missing = [name for name in named if name not in known]
    if missing:
        raise UnknownWager(f"Wager {missing[0]} is in none of these rounds.")
    return [known[name] for name in named]


def _forfeited_wagers(report: ConductReport, rounds: Sequence[LogEntry], pack: Pack | None) -> list[str]:
    if not report.forfeited:
        return []
    duty: Any = pack.duties.invalidation if pack else None
    if report.kind != INVALIDATION or report.grounds != "fraud" or (duty and not duty.fraudster_may_forfeit):
        raise NoForfeit
    return _wagers_by_number(report.forfeited, rounds)


def _find_idle_rounds(table: Table, report: ConductReport, pack: Pack | None) -> list[int]:
    duty = pack.duties.idle_players if pack else None
    if duty is None:
        return []
    found = idle_rounds(table, duty.rounds, until=report.at, seat=report.seat, player=report.player)
    if found is None:
        raise HasWagered(
            f"Not all of the last {duty.rounds} rounds with a result passed without a wager of theirs ({duty.clause})."
        )
    return found
