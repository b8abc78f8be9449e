"""Records manual lines about a table's equipment, its return to play, and the rounds voided for damaged dice."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.accounts.separation import require_other_person
from compliance.core.web.jobs.wake import wake
from compliance.tables.equipment.consumer import CONSUME_TASK
from compliance.tables.equipment.duties import shaker_swap_duty
from compliance.tables.equipment.entry_kinds import RETURNED
from compliance.tables.equipment.errors import (
    AlreadyAtTable,
    MendedAlready,
    NoSuchRounds,
    NotAtTable,
    NotFloorStaff,
    NotMended,
    PlayNotStopped,
    ShakerSwapOrder,
    TimeInFuture,
)
from compliance.tables.equipment.models import ManualLine, ReturnToPlay, VoidSet
from compliance.tables.equipment.projections import Custody, Fault, Piece
from rounds.engine import DAMAGED_DICE, judge_later_void
from rounds.floor.models import Table
from rounds.intake import entry_kinds
from rounds.intake.entry_kinds import VOID_SET
from rounds.intake.protocol.envelope import LINE_KIND_BY_NAME
from rounds.intake.protocol.fields import Body
from rounds.intake.round_view import read_round
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger import LogEntry, corrections_of, read_entries_at, write_row

MAY_RECORD = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
MAY_REPORT_FAULTS = MAY_RECORD | {Role.INSPECTOR}
MAY_RETURN_TO_PLAY = frozenset({Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER})
MAY_VOID = frozenset({Role.SHIFT_MANAGER})
MAX_ROUNDS = 5_000


@transaction.atomic
def record_manual_line(*, table: Table, kind: str, body: Body, at: datetime, actor: User, now: datetime) -> ManualLine:
    """Records what a person saw or did at a table, as an entry of the kind that a controller would have sent.

    Refuses the impossible: a future time, dice that are not at the table. A breach of the rules is recorded, since it
    is a fact. Only the order of a shaker swap is enforced, while it can still be followed.
    """
    may = MAY_REPORT_FAULTS if kind in (entry_kinds.FAULT, entry_kinds.FAULT_CLEARED) else MAY_RECORD
    check_roles(actor, table.casino, may)
    if at > now:
        raise TimeInFuture
    table.casino.lock()
    if kind in PRECONDITIONS:
        PRECONDITIONS[kind](table, body, at)
    assert isinstance(body, LINE_KIND_BY_NAME[kind].body)
    line = ManualLine(
        casino=table.casino,
        table=table,
        kind=kind,
        at=at,
        body=msgspec.json.decode(msgspec.json.encode(body)),
        by=actor,
        by_name=actor.name,
        recorded_at=now,
    )
    write_row(line, kind=kind, log=table.casino.slug, table=table.slug, now=now)
    wake(CONSUME_TASK)
    wake_consumers()
    return line


def acting_role(actor: User, casino: Casino, preferred: Collection[Role] = ()) -> Role:
    """The role somebody acts in: a preferred one that they hold, else the highest they hold."""
    roles = {Role(each.role) for each in RoleAssignment.objects.current().filter(user=actor, casino=casino)}
    order = (*preferred, Role.SHIFT_MANAGER, Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, *sorted(GOVERNMENT_ROLES))
    acting = next((role for role in order if role in roles), None)
    if acting is None:
        raise NotFloorStaff
    return acting


def check_roles(actor: User, casino: Casino, roles: Collection[Role]) -> None:
    if not actor.has_role_in_database(*roles, casino=casino):
        raise NotFloorStaff


# --- Impossible records ---------------------------------------------------------------------------------------------


def _is_at_table(table: Table, piece: Piece, name: str) -> bool:
    """By the projections. Pages run the consumer after each record, so that they include what people just recorded."""
    return (
        Custody.objects.filter(log=table.casino.slug)
        .of_piece(piece)
        .at_table()
        .filter(table=table.slug, name=name)
        .exists()
    )


def _check_dice_placement(table: Table, body: Any, at: datetime) -> None:
    _check_not_placed(table, Piece.DICE, body.dice)


def _check_shaker_placement(table: Table, body: Any, at: datetime) -> None:
    _check_not_placed(table, Piece.SHAKER, body.shaker)
    duty = shaker_swap_duty(table, at)
    replaced = Custody.objects.filter(log=table.casino.slug, table=table.slug, type=duty.removed if duty else "")
    if duty is not None and body.type == duty.before_using and replaced.of_piece(Piece.SHAKER).at_table().exists():
        raise ShakerSwapOrder(f"The {duty.removed} shaker is still at this table ({duty.clause}).")


def _check_not_placed(table: Table, piece: Piece, name: str) -> None:
    placed = Custody.objects.filter(log=table.casino.slug).of_piece(piece).at_table().filter(name=name).first()
    if placed is not None:
        raise AlreadyAtTable(f"{name} is at table {placed.table} already.")


def _check_dice_removal(table: Table, body: Any, at: datetime) -> None:
    if not _is_at_table(table, Piece.DICE, body.dice):
        raise NotAtTable


def _check_shaker_removal(table: Table, body: Any, at: datetime) -> None:
    if not _is_at_table(table, Piece.SHAKER, body.shaker):
        raise NotAtTable


def _check_repair(table: Table, body: Any, at: datetime) -> None:
    known = Fault.objects.filter(log=table.casino.slug, table=table.slug, name=body.fault)
    if not known.exists():
        raise NotAtTable("No fault of that name is recorded at this table.")
    if not known.not_repaired().exists():
        raise MendedAlready


PRECONDITIONS: Mapping[str, Callable[[Table, Any, datetime], None]] = {
    entry_kinds.DICE_PLACED: _check_dice_placement,
    entry_kinds.DICE_REMOVED: _check_dice_removal,
    entry_kinds.SHAKER_PLACED: _check_shaker_placement,
    entry_kinds.SHAKER_REMOVED: _check_shaker_removal,
    entry_kinds.FAULT_CLEARED: _check_repair,
}


# --- Return to play -------------------------------------------------------------------------------------------------


@transaction.atomic
def return_to_play(*, table: Table, note: str, actor: User, now: datetime) -> ReturnToPlay:
    """Signs that the table works again. Every fault that stopped play must be repaired first."""
    check_roles(actor, table.casino, MAY_RETURN_TO_PLAY)
    table.casino.lock()
    stopping = list(Fault.objects.filter(log=table.casino.slug, table=table.slug).stopping_play().order_by("index"))
    if not stopping:
        raise PlayNotStopped
    unmended = [fault for fault in stopping if fault.mended_at is None]
    if unmended:
        raise NotMended(f"Fault {unmended[0].name} of this table is not mended yet ({unmended[0].clause}).")
    repairs = ManualLine.objects.filter(
        log=table.casino.slug, entry_index__in=[fault.mended_index for fault in stopping]
    )
    require_other_person(actor, repaired=list(repairs.values_list("by", flat=True)))
    signed = ReturnToPlay(
        casino=table.casino,
        table=table,
        faults=[fault.index for fault in stopping],
        note=note,
        by=actor,
        by_name=actor.name,
        at=now,
    )
    write_row(signed, kind=RETURNED, log=table.casino.slug, table=table.slug, now=now)
    wake(CONSUME_TASK)
    return signed


# --- Damaged dice ---------------------------------------------------------------------------------------------------


@transaction.atomic
def void_rounds(
    *, table: Table, dice_set: str, rounds: Sequence[int], reason: str, actor: User, now: datetime
) -> VoidSet:
    """Records which rounds a shift manager determined to be affected by damaged dice. The rounds' entries are
    unchanged; the new entry voids them, and the audit reads it. Winnings are not reclaimed by it (readings.md R6).
    """
    check_roles(actor, table.casino, MAY_VOID)
    table.casino.lock()
    chosen = sorted(set(rounds))
    if not chosen or len(chosen) > MAX_ROUNDS:
        raise NoSuchRounds(f"Choose at least one round, and at most {MAX_ROUNDS:,}.")
    entries = read_entries_at(table.casino.slug, chosen)
    if [entry.index for entry in entries] != chosen or not all(_is_round_of(entry, table) for entry in entries):
        raise NoSuchRounds
    if corrections_of(table.casino.slug, chosen) or already_voided(table, chosen):
        raise NoSuchRounds("Some of these rounds were taken back or voided before.")
    rules = read_round(table.casino, entries[0]).rules_in_force
    judged = judge_later_void(rules.pack, DAMAGED_DICE) if rules else None
    determined = VoidSet(
        casino=table.casino,
        table=table,
        dice_set=dice_set,
        rounds=chosen,
        reason=reason,
        by=actor,
        by_name=actor.name,
        at=now,
        clause=judged.clause if judged is not None and judged.is_void else "",
    )
    write_row(determined, kind=VOID_SET, log=table.casino.slug, table=table.slug, now=now)
    wake_consumers()
    return determined


def _is_round_of(entry: LogEntry, table: Table) -> bool:
    return entry.kind == entry_kinds.ROUND and entry.table == table.slug


def already_voided(table: Table, rounds: Sequence[int]) -> set[int]:
    known = VoidSet.objects.filter(table=table).values_list("rounds", flat=True)
    return {index for each in known for index in each} & set(rounds)
