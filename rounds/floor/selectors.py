"""Reads of the floor: facts in force at an instant, and the controller lookup that intake makes for every batch.

Tables, terminals and controllers are fetched through access_*, which raise NotFound for absent and forbidden alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from rounds.engine import Pack
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE, STREAK, fact_kind
from rounds.floor.fact_values import PayTableValue, TableRulesValue, TerminalLayoutValue, V, WagersOfferedValue
from rounds.floor.models import Controller, ControllerKey, Fact, Table, Terminal
from rounds.floor.models.controllers import ControllerKeyQuerySet
from rounds.floor.models.facts import FactQuerySet
from rounds.floor.permissions import MAY_READ, MAY_REGISTER, MAY_SEE_CONTROLLERS
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import effective_versions, pack_of

# --- For intake: one cheap query a batch ----------------------------------------------------------------------------


# Raw SQL, because it runs for every reported round. Same conditions as `ControllerKeyQuerySet.active` for the key and
# `ControllerTableQuerySet.assigned_at` for the tables.
CONTROLLER_IDENTITY_SQL = """
SELECT key.key_id, key.public_key, controller.id, controller.slug, casino.id, casino.slug, ARRAY(
    SELECT place.slug FROM floor_controllertable given JOIN floor_table place ON place.id = given.table_id
    WHERE given.controller_id = controller.id AND given.from_at <= %(at)s
        AND (given.until_at IS NULL OR given.until_at > %(at)s)
) FROM floor_controllerkey key
JOIN floor_controller controller ON controller.id = key.controller_id
JOIN accounts_casino casino ON casino.id = controller.casino_id
WHERE key.key_id = %(key_id)s AND key.valid_from <= %(at)s AND (key.revoked_at IS NULL OR key.revoked_at > %(at)s)
"""


@dataclass(frozen=True, slots=True)
class ControllerIdentity:
    """An active key, its controller, and the tables the controller may report for. `casino` is the slug, which names
    the log."""

    key_id: str
    public_key: bytes
    controller_id: int
    controller: str
    casino_id: int
    casino: str
    tables: frozenset[str]


def identify_controller(key_id: str, at: datetime) -> ControllerIdentity | None:
    """The controller of a key that is active at this instant, else None. One query."""
    with connection.cursor() as cursor:
        cursor.execute(CONTROLLER_IDENTITY_SQL, {"key_id": key_id, "at": at})
        row = cursor.fetchone()
    if row is None:
        return None
    held, public_key, controller_id, controller, casino_id, casino, tables = row
    return ControllerIdentity(held, bytes(public_key), controller_id, controller, casino_id, casino, frozenset(tables))


# --- Access ---------------------------------------------------------------------------------------------------------


def access_table(user: User, casino: Casino, slug: str) -> Table:
    tables = Table.objects.select_related("casino", "added_by", "retired_by")
    found = tables.filter(casino=casino, slug=slug).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def access_terminal(user: User, table: Table, slug: str) -> Terminal:
    terminals = Terminal.objects.select_related("table", "table__casino")
    found = terminals.filter(table=table, slug=slug).first() if user.has_role(*MAY_READ, casino=table.casino) else None
    if found is None:
        raise NotFound
    return found


def access_controller(user: User, casino: Casino, slug: str) -> Controller:
    controllers = Controller.objects.select_related("casino", "registered_by")
    may = user.has_role(*MAY_SEE_CONTROLLERS, casino=casino)
    found = controllers.filter(casino=casino, slug=slug).first() if may else None
    if found is None:
        raise NotFound
    return found


def access_key(user: User, controller: Controller, key_id: str) -> ControllerKey:
    keys = ControllerKey.objects.select_related("controller__casino", "proposed_by", "approved_by", "revoked_by")
    may = user.has_role(*MAY_SEE_CONTROLLERS, casino=controller.casino)
    found = keys.filter(controller=controller, key_id=key_id).first() if may else None
    if found is None:
        raise NotFound
    return found


def approvable_keys(user: User) -> ControllerKeyQuerySet:
    """Keys this person may approve: proposed by another person, at a casino where they may register controllers."""
    casinos = [held.casino_id for held in user.roles_now() if held.role in MAY_REGISTER]
    waiting = ControllerKey.objects.waiting().filter(controller__casino__in=casinos).exclude(proposed_by=user)
    return waiting.select_related("controller__casino", "proposed_by")


def access_fact(user: User, casino: Casino, fact_id: int) -> Fact:
    """A fact that is not retracted: it cannot be retracted twice."""
    facts = Fact.objects.not_retracted().with_people().select_related("casino", "table")
    found = facts.filter(casino=casino, pk=fact_id).first() if user.has_role(*MAY_READ, casino=casino) else None
    if found is None:
        raise NotFound
    return found


# --- Facts in force at an instant -----------------------------------------------------------------------------------


class FactsAt:
    """Facts of one subject in force at an instant: `rows` by name, `get` by value type."""

    def __init__(self, instant: datetime, rows: Iterable[Fact]) -> None:
        self.instant = instant
        self.rows: Mapping[str, Fact] = {row.name: row for row in rows}

    def get(self, kind: type[V]) -> V | None:
        row = self.rows.get(NAME_BY_VALUE_TYPE[kind])
        value = row.parse_value() if row else None
        return value if isinstance(value, kind) else None


def facts_at(table: Table, at: datetime) -> FactsAt:
    facts = Fact.objects.filter(table=table, terminal=None)
    return FactsAt(at, facts.in_force(at).with_people())


def casino_facts_at(casino: Casino, at: datetime) -> FactsAt:
    facts = Fact.objects.filter(casino=casino, table=None)
    return FactsAt(at, facts.in_force(at).with_people())


def terminal_facts_at(table: Table, at: datetime) -> dict[str, FactsAt]:
    """By the terminal's slug; one query for all terminals."""
    rows: dict[str, list[Fact]] = {}
    for fact in Fact.objects.filter(table=table, terminal__isnull=False).in_force(at).with_people():
        assert fact.terminal is not None
        rows.setdefault(fact.terminal.slug, []).append(fact)
    return {slug: FactsAt(at, found) for slug, found in rows.items()}


def upcoming_facts(facts: FactQuerySet, after: datetime) -> FactQuerySet:
    """Facts that are recorded but take effect later, soonest first."""
    return (
        facts.not_retracted().filter(effective_at__gt=after).with_people().order_by("effective_at", "recorded_at", "pk")
    )


def table_fact_history(table: Table, name: str) -> FactQuerySet:
    """Every fact with that name about the table, retracted ones included, newest first."""
    kind = fact_kind(name, "table")
    return Fact.objects.filter(table=table, terminal=None, name=kind.name).with_people().newest_first()


# --- Derived from the facts -----------------------------------------------------------------------------------------


def version_for(table: Table, at: datetime) -> RuleVersion | None:
    """The approved rule version for a round that began at this table at this instant. Without the people of facts and
    versions: nearly every page and act at a table asks for it, and joining them takes ten times as long."""
    stated = Fact.objects.filter(table=table, terminal=None, name=NAME_BY_VALUE_TYPE[TableRulesValue]).in_force(at)
    played = FactsAt(at, stated).get(TableRulesValue)
    effective = effective_versions(table.casino, played.rules, at) if played else RuleVersion.objects.none()
    return effective.select_related("casino").first()


def pack_for(table: Table, at: datetime) -> Pack | None:
    version = version_for(table, at)
    return pack_of(version) if version else None


def pay_table_for(pack: Pack, facts: FactsAt, terminal: FactsAt | None = None) -> str | None:
    """The pay table of the terminal's layout; without a terminal the one in the table's fact, or the pack's only
    one."""
    layout = terminal.get(TerminalLayoutValue) if terminal else None
    if layout is not None:
        return next((name for name, one in pack.law.pay_table.items() if one.layout == layout.layout), None)
    stated = facts.get(PayTableValue)
    if stated is not None:
        return stated.pay_table
    return next(iter(pack.law.pay_table)) if len(pack.law.pay_table) == 1 else None


def offered_bets(pack: Pack, facts: FactsAt) -> frozenset[str]:
    """Every bet that the table offers: all that are not optional, and the optional wagers in the table's fact."""
    stated = facts.get(WagersOfferedValue)
    on = frozenset(stated.wagers) if stated else frozenset()
    wagers = (wager for key, wager in pack.law.wager.items() if key in on or not wager.is_optional)
    bets = frozenset(str(bet) for wager in wagers for bet in wager.bets)
    return bets | (streak_bets(pack) if STREAK in on else frozenset())


def streak_bets(pack: Pack) -> frozenset[str]:
    if pack.law.streak is None:
        return frozenset()
    pairs = pack.law.streak.pairs
    sides = (side for pair in pairs.values() for side in pair.directions)
    return frozenset(f"streak:{name}" for name in (*pairs, *sides))
