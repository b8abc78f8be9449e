"""Stakes owed because rounds or wagers became void after settlement, and records that they were handed back.

They are voided by an entry: damaged dice, an invalidated outcome, or wagers declared void.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.web.errors import NotFound
from compliance.tables.equipment.errors import NothingOwed, PartNeedsSingleWager
from compliance.tables.equipment.models import StakesReturned
from compliance.tables.equipment.services.floor_records import check_roles
from rounds.floor.models import Table
from rounds.intake.entry_kinds import INVALIDATION, ROUND, STAKES_RETURNED, VOID_SET, WAGERS_VOIDED
from rounds.intake.round_records import read_decision, read_round_line
from rounds.intake.round_view import read_round
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger import LogEntry, corrections_of, read_entries_at, write_row

MAY_RETURN_STAKES = frozenset({Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR})
DETERMINATION_KINDS = frozenset({VOID_SET, INVALIDATION, WAGERS_VOIDED})
# A refused wager is in no round, and an open streak wager is owed nothing yet.
UNSETTLED_VERDICTS = ("refused", "open")


@dataclass(frozen=True)
class VoidedWager:
    """One voided wager: its stake is owed back; winnings that were paid are kept unless recovered."""

    index: int
    round: str
    wager: str
    bet: str
    stake_cents: int
    returned_cents: int
    since_cents: int = 0

    @property
    def due_cents(self) -> int:
        """The stake, less what was handed back already."""
        return max(0, self.stake_cents - self.returned_cents - self.since_cents)

    @property
    def overpaid_cents(self) -> int:
        return max(0, self.returned_cents - self.stake_cents)

    @property
    def key(self) -> str:
        return f"{self.index}:{self.wager}"


def voided_wagers(casino: Casino, entry: LogEntry) -> list[VoidedWager]:
    """Wagers affected by a determination, with what was handed back for each since."""
    content, returned_cents = entry.content(), _returned_cents_by_wager(casino, entry.table or "")
    affected = _affected_wagers(casino, entry, content)
    return [replace(each, since_cents=returned_cents.get(each.key, 0)) for each in affected]


def _affected_wagers(casino: Casino, determination: LogEntry, content: Mapping[str, Any]) -> Iterator[VoidedWager]:
    """One about a person affects the wagers it names or, when it names none, all of that person's. Forfeited ones are
    not owed."""
    for entry in read_entries_at(casino.slug, content["rounds"]):
        line = read_round_line(entry) if entry.kind == ROUND else None
        if line is None:
            continue
        decided, played = read_decision(determination, content, entry.index, line.body), line.body
        # The rules, which say when betting closed, are read only where it matters: there may be a thousand rounds.
        was_changed = any(wager.changes for wager in played.wagers)
        positions = read_round(casino, entry).positions if was_changed else {}
        for wager in played.wagers:
            is_affected = bool(decided.reason) or wager.id in decided.voided
            if is_affected and wager.verdict not in UNSETTLED_VERDICTS and wager.id not in decided.forfeited:
                stake = positions[wager.id].total_staked_cents if wager.changes else wager.stake
                yield VoidedWager(entry.index, played.round, wager.id, wager.bet, stake, wager.returned or 0)


def _returned_cents_by_wager(casino: Casino, table: str) -> Mapping[str, int]:
    """Cents handed back for each wager, for any reason. Withdrawn records do not count."""
    totals: dict[str, int] = {}
    for row in StakesReturned.objects.filter(casino=casino, table__slug=table):
        for each in row.returned:
            key = f"{each['round']}:{each['wager']}"
            totals[key] = totals.get(key, 0) + each["cents"]
    return totals


def access_void_set(casino: Casino, index: int) -> LogEntry:
    """The entry that voided rounds or wagers. A corrected one is refused."""
    determinations = [entry for entry in read_entries_at(casino.slug, [index]) if entry.kind in DETERMINATION_KINDS]
    if not determinations or corrections_of(casino.slug, [index]):
        raise NotFound
    return determinations[0]


@transaction.atomic
def return_stakes(
    *,
    casino: Casino,
    because: int,
    wagers: Sequence[str],
    how: str,
    actor: User,
    now: datetime,
    part_cents: int | None = None,
) -> StakesReturned:
    """Records that the stakes owed for these wagers ("round's entry:wager") were handed back, or part of the stake of
    one.

    The audit reads the entry: after a partial return the rest is still owed.
    """
    check_roles(actor, casino, MAY_RETURN_STAKES)
    casino.lock()
    entry = access_void_set(casino, because)
    owed = {each.key: each for each in voided_wagers(casino, entry) if each.due_cents}
    if not wagers or not owed.keys() >= set(wagers):
        raise NothingOwed
    table = Table.objects.get(casino=casino, slug=entry.table)
    chosen = [each for key, each in owed.items() if key in set(wagers)]
    if part_cents is not None and (len(chosen) != 1 or not 0 < part_cents <= chosen[0].due_cents):
        raise PartNeedsSingleWager
    returned = StakesReturned(
        casino=casino,
        table=table,
        because=because,
        how=how,
        by=actor,
        by_name=actor.name,
        at=now,
        returned=[{"round": each.index, "wager": each.wager, "cents": part_cents or each.due_cents} for each in chosen],
    )
    write_row(returned, kind=STAKES_RETURNED, log=casino.slug, table=table.slug, now=now)
    wake_consumers()
    return returned
