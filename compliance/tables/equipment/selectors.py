"""Status of a casino's equipment. The number of queries does not grow with the number of tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from compliance.core.accounts.models import Casino, User
from compliance.core.corrections.selectors import Withdrawal, read_withdrawal, withdrawals_of
from compliance.core.web.errors import NotFound
from compliance.core.web.ui.components import Tag
from compliance.notify.alerts.models import Alert
from compliance.tables.equipment.projections import Custody, Fault, InspectionMade, Piece, TableTurn
from compliance.tables.equipment.row_mapping import parse_entry, row_fields
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.floor.facts.gaming_days import CurrentShift, shift_at
from rounds.floor.models import Fact, Table
from rounds.floor.permissions import MAY_READ
from rounds.intake.entry_kinds import CONTROLLER_CORRECTION, FAULT
from rounds.ledger import LogEntry, entry_at, read_table_entries
from rounds.rulebook.selectors import pack_of, roles_for_title, versions_in_force

DUE_SOON = timedelta(hours=2)
ITEMS = {"electrical-device": "electrical device", "automated-shaker": "automated shaker"}
AUTOMATED = "automated"


def access_fault(user: User, casino: Casino, index: int) -> Fault:
    """Fetches a fault by the index of the entry that reported it. Absent and forbidden raise the same error."""
    fault = Fault.objects.filter(log=casino.slug, index=index).first() or _withdrawn_fault(casino, index)
    if fault is None or not user.has_role(*MAY_READ, casino=casino):
        raise NotFound
    return fault


def _withdrawn_fault(casino: Casino, index: int) -> Fault | None:
    """A fault whose report was taken back, from its entry: the consumer has deleted its row. It is not stored."""
    entry = entry_at(casino.slug, index)
    line = parse_entry(entry) if entry is not None and entry.kind == FAULT and entry.table else None
    fields = row_fields(line) if line is not None and withdrawal_of_line(line.entry) else None
    if fields is None:
        return None
    alerts = Alert.objects.filter(about_log=casino.slug, about_index=index)
    alert_index = alerts.order_by("entry_index").values_list("entry_index", flat=True).first()
    return Fault(log=casino.slug, index=index, stops_play=False, alert_index=alert_index, **fields)


def withdrawal_of_line(entry: LogEntry) -> Withdrawal | None:
    """Who took the line back: a person, or the controller that sent it."""
    by_person = withdrawals_of(entry.log, [entry.index]).get(entry.index)
    if by_person is not None or entry.controller is None:
        return by_person
    later = read_table_entries(entry.log, entry.table or "", [CONTROLLER_CORRECTION], first=entry.index)
    own = (each for each in later if each.controller == entry.controller)
    taken_back = next((each for each in own if each.content()["body"]["corrects"] == entry.sequence), None)
    return None if taken_back is None else read_withdrawal(taken_back)


def stopped_tables(log: str) -> dict[str, list[Fault]]:
    """Tables where play is stopped, with the faults that stop it."""
    stopped: dict[str, list[Fault]] = {}
    for fault in Fault.objects.filter(log=log).stopping_play().order_by("at"):
        stopped.setdefault(fault.table, []).append(fault)
    return stopped


@dataclass(frozen=True)
class DiceAtTable:
    """A set of dice at a table, and how long it may stay there if the rules limit that."""

    custody: Custody
    table: Table
    now: datetime
    at_most: timedelta | None = None
    clause: str = ""

    @property
    def time_left(self) -> timedelta | None:
        return None if self.at_most is None else self.custody.time_left(self.at_most, self.now)

    @property
    def due_at(self) -> datetime | None:
        return None if self.at_most is None else self.custody.at + self.at_most

    @property
    def tag(self) -> Tag:
        if self.time_left is None:
            return Tag("No time limit", "neutral")
        if self.time_left < timedelta(0):
            return Tag("Too long", "danger")
        return Tag("Due soon", "warning") if self.time_left <= DUE_SOON else Tag("In time", "success")


@dataclass(frozen=True)
class InspectionDue:
    """A required inspection that was not made yet."""

    table: Table
    asked: engine_pack.InspectionDuty
    since: datetime | None
    shift: str = ""

    @property
    def task_text(self) -> str:
        when = "before opening" if self.asked.when == "before-opening" else f"at the start of the shift {self.shift}"
        return f"Try the {ITEMS[self.asked.item]} {when.strip()}"


@dataclass(frozen=True)
class EquipmentStatus:
    """Everything that the board and a table's panel show, read once."""

    casino: Casino
    now: datetime
    tables: Mapping[str, Table]
    packs: Mapping[int, Pack]
    faults: Sequence[Fault]
    present: Sequence[Custody]
    inspections: Sequence[InspectionMade]
    turns: Mapping[str, TableTurn]
    shift: CurrentShift | None
    shakers_stated: Mapping[int, str] = field(default_factory=dict)

    def dice(self) -> list[DiceAtTable]:
        """Sorted by deadline, the nearest first."""
        at_tables = [
            self._dice_at_table(each) for each in self.present if each.piece == Piece.DICE and each.table in self.tables
        ]
        longest = timedelta.max
        return sorted(at_tables, key=lambda dice: longest if dice.time_left is None else dice.time_left)

    def _dice_at_table(self, custody: Custody) -> DiceAtTable:
        table = self.tables[custody.table]
        pack = self.packs.get(table.pk)
        duty = pack.duties.dice_custody if pack else None
        if duty is None:
            return DiceAtTable(custody, table, self.now)
        return DiceAtTable(custody, table, self.now, timedelta(hours=duty.at_most_hours), duty.clause)

    def inspections_due(self) -> Iterator[InspectionDue]:
        for table in self.tables.values():
            pack = self.packs.get(table.pk)
            for required in (pack.duties.inspections or ()) if pack else ():
                due = self._due_inspection(table, required)
                if due is not None:
                    yield due

    def _due_inspection(self, table: Table, required: engine_pack.InspectionDuty) -> InspectionDue | None:
        if required.item == "automated-shaker" and not self._has_automated_shaker(table):
            return None
        turn = self.turns.get(table.slug)
        is_open = turn is not None and turn.is_open
        if required.when == "before-opening":
            since = turn.at if turn and not is_open else None
            is_required, shift = not is_open, ""
        else:
            since = self.shift.began_at if self.shift else None
            is_required, shift = is_open and self.shift is not None, self.shift.name if self.shift else ""
        if not is_required or self._was_inspected(table, required, since):
            return None
        return InspectionDue(table, required, since, shift)

    def _was_inspected(self, table: Table, required: engine_pack.InspectionDuty, since: datetime | None) -> bool:
        return any(
            made.table == table.slug
            and made.item == required.item
            and made.occasion == required.when
            and made.has_passed
            and required.completed_trials(made.trials, len(made.entered)) >= required.trials
            and (since is None or made.at >= since)
            for made in self.inspections
        )

    def _has_automated_shaker(self, table: Table) -> bool:
        """By the shaker recorded at the table; when none is recorded, by the table's facts."""
        shakers = [each for each in self.present if each.piece == Piece.SHAKER and each.table == table.slug]
        if shakers:
            return any(each.type == AUTOMATED for each in shakers)
        return self.shakers_stated.get(table.pk) == AUTOMATED

    def inspectors_of(self, due: InspectionDue) -> str:
        pack = self.packs[due.table.pk]
        roles = roles_for_title(pack, due.asked.inspected_by)
        return ", ".join(role.label.lower() for role in roles) or due.asked.inspected_by


def load_equipment_status(casino: Casino, tables: Sequence[Table], now: datetime) -> EquipmentStatus:
    slugs = [table.slug for table in tables]
    of_tables = {"log": casino.slug, "table__in": slugs}
    recent = InspectionMade.objects.filter(**of_tables, at__gte=now - timedelta(days=7))
    turns = TableTurn.objects.filter(**of_tables).order_by("table", "-at", "-index").distinct("table")
    return EquipmentStatus(
        casino=casino,
        now=now,
        tables={table.slug: table for table in tables},
        packs=packs_by_table(casino, tables, now),
        faults=list(Fault.objects.filter(**of_tables).unresolved().order_by("at")),
        present=list(Custody.objects.filter(**of_tables).at_table().order_by("at")),
        inspections=list(recent),
        turns={turn.table: turn for turn in turns},
        shift=shift_at(casino, now),
        shakers_stated=_stated_shakers(tables, now),
    )


def packs_by_table(casino: Casino, tables: Sequence[Table], now: datetime) -> dict[int, Pack]:
    """Approved rule pack in force at each table that has one."""
    versions = versions_in_force(casino, now)
    stated = Fact.objects.filter(table__in=tables, terminal=None, name="rules").in_force(now)
    return {
        fact.table_id: pack_of(versions[fact.value["rules"]])
        for fact in stated
        if fact.table_id is not None and fact.value["rules"] in versions
    }


def _stated_shakers(tables: Sequence[Table], now: datetime) -> dict[int, str]:
    stated = Fact.objects.filter(table__in=tables, terminal=None, name="equipment").in_force(now)
    return {fact.table_id: str(fact.value.get("shaker", "")) for fact in stated if fact.table_id is not None}
