"""Recording what people saw of a table's equipment, returning it to play, and voiding what damaged dice affected."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import transaction

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.accounts.roles import GOVERNMENT, Role
from compliance.equipment.duties import swap_duty
from compliance.equipment.errors import (
    InTheFuture,
    MendedAlready,
    NoSuchRounds,
    NotFloorStaff,
    NothingStopped,
    NotMended,
    NotThere,
    SwapOrder,
    ThereAlready,
)
from compliance.equipment.following import FOLLOW
from compliance.equipment.kinds import RETURNED, VOID_SET
from compliance.equipment.models import PersonsLine, ReturnToPlay, VoidSet
from compliance.equipment.states import Custody, Fault, Piece
from compliance.web.bell import ring
from rounds.floor.models import Table
from rounds.floor.recording import lock_casino
from rounds.floor.selectors import pack_for
from rounds.intake.kinds.lines import KIND_OF
from rounds.intake.kinds.words import Body
from rounds.intake.ringing import ring_followers
from rounds.ledger.following import Recorded, read_entries_at
from rounds.ledger.rows import write_row
from rounds.ledger.searching import corrections_of

MAY_RECORD = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
MAY_REPORT_FAULTS = MAY_RECORD | {Role.INSPECTOR}
MAY_RETURN = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
MAY_VOID = frozenset({Role.SHIFT_MANAGER})
MOST_ROUNDS = 5_000
DAMAGED: Final = "damaged-dice"


@transaction.atomic
def record_line(*, table: Table, kind: str, body: Body, at: datetime, actor: User, now: datetime) -> PersonsLine:
    """What a person saw or did at a table, as an entry of the kind that a controller would have sent.

    What could not be so is refused: a time to come, dice that are not there. What breaks a rule is not, except that
    the order of shakers is asked for while it can still be kept.
    """
    may = MAY_REPORT_FAULTS if kind in ("fault", "fault-cleared") else MAY_RECORD
    require(actor, table.casino, may)
    if at > now:
        raise InTheFuture
    lock_casino(table.casino)
    if kind in POSSIBLE:
        POSSIBLE[kind](table, body, at)
    assert isinstance(body, KIND_OF[kind].body)
    line = PersonsLine(
        casino=table.casino, table=table, kind=kind, at=at, body=msgspec.json.decode(msgspec.json.encode(body)),
        by=actor, by_name=actor.name, recorded_at=now,
    )  # fmt: skip
    write_row(line, kind=kind, log=table.casino.slug, table=table.slug, now=now)
    ring(FOLLOW)
    ring_followers()
    return line


def position_of(actor: User, casino: Casino, wanted: Collection[Role] = ()) -> Role:
    """As what somebody acts: in the role that the rules ask for, if they hold it; else in the highest they hold."""
    held = {Role(each.role) for each in RoleHeld.objects.current().filter(user=actor, casino=casino)}
    order = (*wanted, Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, *sorted(GOVERNMENT))
    found = next((role for role in order if role in held), None)
    if found is None:
        raise NotFloorStaff
    return found


def require(actor: User, casino: Casino, roles: Collection[Role]) -> None:
    if not actor.still_holds(*roles, casino=casino):
        raise NotFloorStaff


# --- What cannot be so ----------------------------------------------------------------------------------------------


def _present(table: Table, piece: Piece, name: str) -> bool:
    """By the entries that were followed; those just recorded by people are followed before their page answers."""
    return (
        Custody.objects.filter(log=table.casino.slug).of(piece).present().filter(table=table.slug, name=name).exists()
    )


def _dice_fit(table: Table, body: Any, at: datetime) -> None:
    _is_new(table, Piece.DICE, body.dice)


def _shaker_fits(table: Table, body: Any, at: datetime) -> None:
    _is_new(table, Piece.SHAKER, body.shaker)
    duty = swap_duty(table, at)
    there = Custody.objects.filter(log=table.casino.slug, table=table.slug, type=duty.removed if duty else "")
    if duty is not None and body.type == duty.before_using and there.of(Piece.SHAKER).present().exists():
        raise SwapOrder(f"The {duty.removed} shaker is still at this table ({duty.clause}).")


def _is_new(table: Table, piece: Piece, name: str) -> None:
    here = Custody.objects.filter(log=table.casino.slug).of(piece).present().filter(name=name).first()
    if here is not None:
        raise ThereAlready(f"{name} is at table {here.table} already.")


def _dice_can_go(table: Table, body: Any, at: datetime) -> None:
    if not _present(table, Piece.DICE, body.dice):
        raise NotThere


def _shaker_can_go(table: Table, body: Any, at: datetime) -> None:
    if not _present(table, Piece.SHAKER, body.shaker):
        raise NotThere


def _can_be_mended(table: Table, body: Any, at: datetime) -> None:
    known = Fault.objects.filter(log=table.casino.slug, table=table.slug, name=body.fault)
    if not known.exists():
        raise NotThere("No fault of that name is recorded at this table.")
    if not known.unmended().exists():
        raise MendedAlready


POSSIBLE: Mapping[str, Callable[[Table, Any, datetime], None]] = {
    "dice-placed": _dice_fit,
    "dice-removed": _dice_can_go,
    "shaker-placed": _shaker_fits,
    "shaker-removed": _shaker_can_go,
    "fault-cleared": _can_be_mended,
}


# --- Return to play -------------------------------------------------------------------------------------------------


@transaction.atomic
def return_to_play(*, table: Table, note: str, actor: User, now: datetime) -> ReturnToPlay:
    """A person signs that the table works again. Every fault that stopped it must be mended first."""
    require(actor, table.casino, MAY_RETURN)
    lock_casino(table.casino)
    stopping = list(Fault.objects.filter(log=table.casino.slug, table=table.slug).stopping().order_by("index"))
    if not stopping:
        raise NothingStopped
    unmended = [fault for fault in stopping if fault.mended_at is None]
    if unmended:
        raise NotMended(f"Fault {unmended[0].name} of this table is not mended yet ({unmended[0].clause}).")
    signed = ReturnToPlay(
        casino=table.casino, table=table, faults=[fault.index for fault in stopping], note=note, by=actor,
        by_name=actor.name, at=now,
    )  # fmt: skip
    write_row(signed, kind=RETURNED, log=table.casino.slug, table=table.slug, now=now)
    ring(FOLLOW)
    return signed


# --- Damaged dice ---------------------------------------------------------------------------------------------------


@transaction.atomic
def void_rounds(
    *, table: Table, dice_set: str, rounds: Sequence[int], reason: str, actor: User, now: datetime
) -> VoidSet:
    """A shift manager determines which rounds the damaged dice affected. The rounds stay as they are; that they are
    void is a new entry, which the audit reads. Winnings are not asked back by it (readings.md R6)."""
    require(actor, table.casino, MAY_VOID)
    lock_casino(table.casino)
    chosen = sorted(set(rounds))
    if not chosen or len(chosen) > MOST_ROUNDS:
        raise NoSuchRounds(f"Choose at least one round, and at most {MOST_ROUNDS:,}.")
    entries = read_entries_at(table.casino.slug, chosen)
    if [entry.index for entry in entries] != chosen or not all(_is_round_of(entry, table) for entry in entries):
        raise NoSuchRounds
    if corrections_of(table.casino.slug, chosen) or voided_before(table, chosen):
        raise NoSuchRounds("Some of these rounds were taken back or voided before.")
    pack = pack_for(table, now)
    reasons = pack.law.void if pack else {}
    determined = VoidSet(
        casino=table.casino, table=table, dice_set=dice_set, rounds=chosen, reason=reason, by=actor,
        by_name=actor.name, at=now, clause=str(reasons[DAMAGED].clause) if DAMAGED in reasons else "",
    )  # fmt: skip
    write_row(determined, kind=VOID_SET, log=table.casino.slug, table=table.slug, now=now)
    ring_followers()
    return determined


def _is_round_of(entry: Recorded, table: Table) -> bool:
    return entry.kind == "round" and entry.table == table.slug


def voided_before(table: Table, rounds: Sequence[int]) -> set[int]:
    known = VoidSet.objects.filter(table=table).values_list("rounds", flat=True)
    return {index for each in known for index in each} & set(rounds)
