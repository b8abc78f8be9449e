"""Stakes owed because rounds or wagers became void after settlement, and records that they were handed back.

They are voided by an entry: damaged dice, an invalidated outcome, or wagers declared void.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.web.errors import NotFound
from compliance.tables.equipment.errors import NothingOwed, PartNeedsSingleWager
from compliance.tables.equipment.models import StakesReturned
from compliance.tables.equipment.services.floor_records import check_roles
from rounds.floor.models import Table
from rounds.intake.entry_kinds import INVALIDATION, ROUND, STAKES_RETURNED, VOID_SET, WAGERS_VOIDED
from rounds.intake.round_records import read_decision
from rounds.intake.round_view import UNSETTLED_VERDICTS, WagerView, read_round
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger import LogEntry, corrections_of, read_entries_at, write_row

MAY_RETURN_STAKES = frozenset({Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR})
DETERMINATION_KINDS = frozenset({VOID_SET, INVALIDATION, WAGERS_VOIDED})


@dataclass(frozen=True)
class VoidedWager:
    """One wager that a determination names. Its stake is owed back where the rules let the determination make it void
    (`owed_cents`); winnings that were paid are kept unless recovered."""

    index: int
    round: str
    wager: str
    bet: str
    stake_cents: int
    returned_cents: int
    owed_cents: int = 0
    since_cents: int = 0

    @property
    def due_cents(self) -> int:
        """What is owed, less what was handed back already."""
        return max(0, self.owed_cents - self.returned_cents - self.since_cents)

    @property
    def returnable_cents(self) -> int:
        """What of the stake may be recorded as handed back: all that was not, whether it is owed or not."""
        return max(0, self.stake_cents - self.returned_cents - self.since_cents)

    @property
    def overpaid_cents(self) -> int:
        return max(0, self.returned_cents - self.stake_cents)

    @property
    def key(self) -> str:
        return f"{self.index}:{self.wager}"


def voided_wagers(casino: Casino, entry: LogEntry) -> list[VoidedWager]:
    """Wagers that a determination names, with what each is owed and what was handed back for it since.

    One about a person names wagers or, when it names none, all of that person's. Forfeited ones are not owed.
    """
    content, found = entry.content(), list[VoidedWager]()
    for each in read_entries_at(casino.slug, content["rounds"]):
        read = read_round(casino, each) if each.kind == ROUND else None
        if read is None or read.played is None:
            continue
        decided = read_decision(entry, content, each.index, read.played)
        found += [
            _voided_wager(wager)
            for wager in read.wagers
            if (decided.reason or wager.wager.id in decided.voided)
            and wager.wager.verdict not in UNSETTLED_VERDICTS
            and wager.wager.id not in decided.forfeited
        ]
    return found


def _voided_wager(view: WagerView) -> VoidedWager:
    wager = view.wager
    stake = view.position.total_staked_cents
    returned = wager.returned or 0
    since = (view.returned_cents or 0) - returned
    owed = view.later_void_cents or 0
    played = view.round.played
    assert played is not None
    return VoidedWager(view.round.entry.index, played.round, wager.id, view.bet, stake, returned, owed, since)


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
    """Records that the stakes of these wagers ("round's entry:wager") were handed back, or part of the stake of one.

    The audit reads the entry: after a partial return the rest is still owed. A stake that was not owed is recorded
    too, because it is a fact; the audit reports it.
    """
    check_roles(actor, casino, MAY_RETURN_STAKES)
    casino.lock()
    entry = access_void_set(casino, because)
    open_wagers = {each.key: each for each in voided_wagers(casino, entry) if each.returnable_cents}
    if not wagers or not open_wagers.keys() >= set(wagers):
        raise NothingOwed
    table = Table.objects.get(casino=casino, slug=entry.table)
    chosen = [each for key, each in open_wagers.items() if key in set(wagers)]
    if part_cents is not None and (len(chosen) != 1 or not 0 < part_cents <= chosen[0].returnable_cents):
        raise PartNeedsSingleWager
    returned = StakesReturned(
        casino=casino,
        table=table,
        because=because,
        how=how,
        by=actor,
        by_name=actor.name,
        at=now,
        returned=[
            {"round": each.index, "wager": each.wager, "cents": part_cents or each.due_cents or each.returnable_cents}
            for each in chosen
        ],
    )
    write_row(returned, kind=STAKES_RETURNED, log=casino.slug, table=table.slug, now=now)
    wake_consumers()
    return returned
