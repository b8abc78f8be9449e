"""Stakes that are owed because rounds or wagers became void after they were settled, and that they were handed back.

They became void by an entry: rounds affected by damaged dice, an invalidated outcome, wagers declared void.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.equipment.errors import NothingOwed, NotPartOfOne
from compliance.equipment.kinds import STAKES_RETURNED, VOID_SET
from compliance.equipment.models import StakesReturned
from compliance.equipment.services import require
from compliance.web.errors import NotFound
from rounds.floor.models import Table
from rounds.floor.recording import lock_casino
from rounds.intake.ringing import ring_followers
from rounds.ledger.errors import EntryError
from rounds.ledger.following import Recorded, read_entries_at
from rounds.ledger.rows import write_row
from rounds.ledger.searching import corrections_of

MAY_RETURN_STAKES = frozenset({Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR})
INVALIDATION, WAGERS_VOIDED = "invalidation", "wagers-voided"
DETERMINE = frozenset({VOID_SET, INVALIDATION, WAGERS_VOIDED})
# A wager that was refused is in no round; a streak that runs on is owed nothing yet.
NOT_SETTLED = ("refused", "open")


@dataclass(frozen=True)
class WagerAfter:
    """What follows for one wager: its stake is owed back; what was paid stays paid unless recovered."""

    index: int
    round: str
    wager: str
    bet: str
    stake_cents: int
    returned_cents: int
    since_cents: int = 0

    @property
    def due_cents(self) -> int:
        """The stake, as far as it was not handed back already."""
        return max(0, self.stake_cents - self.returned_cents - self.since_cents)

    @property
    def paid_beyond_cents(self) -> int:
        return max(0, self.returned_cents - self.stake_cents)

    @property
    def key(self) -> str:
        return f"{self.index}:{self.wager}"


def wagers_after(casino: Casino, entry: Recorded) -> list[WagerAfter]:
    """Those that a determination concerns, with what was handed back for each since."""
    said, since = entry.content(), _returned_since(casino, entry.table or "")
    forfeited = frozenset(said.get("forfeited", ()))
    found = _wagers(read_entries_at(casino.slug, said["rounds"]), entry)
    return [replace(each, since_cents=since.get(each.key, 0)) for each in found if each.key not in forfeited]


def _wagers(rounds: Sequence[Recorded], determination: Recorded) -> Iterator[WagerAfter]:
    for entry in rounds:
        body = body_of(entry) if entry.kind == "round" else {}
        for wager in body.get("wagers", ()):
            if wager.get("verdict") not in NOT_SETTLED and _concerns(determination, entry.index, wager):
                yield WagerAfter(
                    entry.index, str(body.get("round", "")), str(wager.get("id", "")), str(wager.get("bet", "")),
                    _staked(wager), int(wager.get("returned") or 0),
                )  # fmt: skip


def _staked(wager: Mapping[str, Any]) -> int:
    """As it lay in the end: a wager may have been raised or lowered after it was placed."""
    changes = sorted(wager.get("changes") or (), key=lambda change: msgspec.convert(change["at"], datetime))
    stakes = [wager.get("stake"), *(change.get("stake") for change in changes)]
    return int([cents for cents in stakes if cents][-1]) if any(stakes) else 0


def _concerns(determination: Recorded, index: int, wager: Mapping[str, Any]) -> bool:
    """A determination about a person's wagers concerns those it names; if it names none, all of that person's."""
    said = determination.content()
    if determination.kind != WAGERS_VOIDED:
        return True
    if said["wagers"]:
        return f"{index}:{wager.get('id')}" in said["wagers"]
    mark = "player" if said["player"] else "seat"
    return said[mark] is not None and wager.get(mark) == said[mark]


def body_of(entry: Recorded) -> Mapping[str, Any]:
    try:
        body = entry.content().get("body")
    except EntryError:
        return {}
    return body if isinstance(body, dict) else {}


def _returned_since(casino: Casino, table: str) -> Mapping[str, int]:
    """Cents by wager, whatever they were owed for; what was taken back was not handed back."""
    rows = list(StakesReturned.objects.filter(casino=casino, table__slug=table))
    taken_back = corrections_of(casino.slug, [row.entry_index for row in rows])
    found: dict[str, int] = {}
    for row in rows:
        for each in row.returned if row.entry_index not in taken_back else ():
            key = f"{each['round']}:{each['wager']}"
            found[key] = found.get(key, 0) + each["cents"]
    return found


def access_determination(casino: Casino, index: int) -> Recorded:
    """The entry by which rounds or wagers are void; one that was taken back determines nothing."""
    found = [entry for entry in read_entries_at(casino.slug, [index]) if entry.kind in DETERMINE]
    if not found or corrections_of(casino.slug, [index]):
        raise NotFound
    return found[0]


@transaction.atomic
def return_stakes(
    *, casino: Casino, because: int, wagers: Sequence[str], how: str, actor: User, now: datetime,
    part_cents: int | None = None,
) -> StakesReturned:  # fmt: skip
    """Whatever was still owed for these wagers, "round's entry:wager", was handed back; or part of it, for one of them.

    The audit reads the entry: of what was handed back in part the rest is still kept.
    """
    require(actor, casino, MAY_RETURN_STAKES)
    lock_casino(casino)
    entry = access_determination(casino, because)
    owed = {each.key: each for each in wagers_after(casino, entry) if each.due_cents}
    if not wagers or not owed.keys() >= set(wagers):
        raise NothingOwed
    table = Table.objects.get(casino=casino, slug=entry.table)
    chosen = [each for key, each in owed.items() if key in set(wagers)]
    if part_cents is not None and (len(chosen) != 1 or not 0 < part_cents <= chosen[0].due_cents):
        raise NotPartOfOne
    returned = StakesReturned(
        casino=casino, table=table, because=because, how=how, by=actor, by_name=actor.name, at=now,
        returned=[
            {"round": each.index, "wager": each.wager, "cents": part_cents or each.due_cents} for each in chosen
        ],
    )  # fmt: skip
    write_row(returned, kind=STAKES_RETURNED, log=casino.slug, table=table.slug, now=now)
    ring_followers()
    return returned
