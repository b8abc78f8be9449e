"""Following the log: faults stop play and have people told, equipment comes and goes, corrections take it back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

import structlog

from compliance.alerts.services import raise_alert
from compliance.equipment.duties import FaultDuty, fault_duty
from compliance.equipment.kinds import RETURNED
from compliance.equipment.reading import MAKES, MODELS, Fields, Said, fields_of, read
from compliance.equipment.states import Custody, Fault, Piece
from compliance.web.moments import Clock
from rounds.floor.models import Table
from rounds.floor.reported import CONTROLLER_CORRECTION
from rounds.ledger.following import Recorded, every_log, follow_to_the_end
from rounds.ledger.kinds import CORRECTION
from rounds.ledger.numbered import numbered_entries

logger = structlog.get_logger(__name__)

CONSUMER = "equipment"
FOLLOW = "compliance.equipment.tasks.follow_equipment"
FAULT_DUTY = "equipment-fault"
CORRECTIONS = (CORRECTION.name, CONTROLLER_CORRECTION)


def follow_equipment(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Take in whatever is new; how many entries the cursor passed. The clock says when people were told."""
    where = every_log() if logs is None else logs
    return follow_to_the_end(CONSUMER, where, lambda entries: take_entries(entries, clock), kinds=FOLLOWED)


def take_entries(entries: Sequence[Recorded], clock: Clock) -> None:
    """The handler of `follow`: one transaction with the cursor, in the order of the log."""
    for entry in entries:
        if entry.kind in CORRECTIONS:
            _take_back(entry)
            continue
        said = read(entry)
        if said is None or not entry.table:
            logger.warning("equipment_not_readable", log=entry.log, index=entry.index, kind=entry.kind)
        elif entry.kind in MAKES:
            _make(said, clock)
        else:
            MOVES[entry.kind](said)


def _make(said: Said, clock: Clock) -> None:
    fields, entry = fields_of(said), said.entry
    if fields is None:
        logger.warning("equipment_not_readable", log=entry.log, index=entry.index, kind=entry.kind)
    elif entry.kind == "fault":
        _fail(said, fields, clock)
    else:
        if entry.kind == "shoe-changed":
            # The shoe before it leaves without a line of its own.
            _leave(said, Piece.SHOE, None, "changed")
        model, _ = MAKES[entry.kind]
        model._default_manager.create(log=entry.log, index=entry.index, **fields)


# --- Faults ---------------------------------------------------------------------------------------------------------


def _fail(said: Said, fields: Fields, clock: Clock) -> None:
    """Stop play and have people told, as far as the rules in force there say so. Told twice, it is one fault."""
    entry = said.entry
    same = Fault.objects.filter(log=entry.log, table=entry.table, name=fields["name"], mended_at=None)
    if same.exists():
        return
    table = Table.objects.filter(casino__slug=entry.log, slug=entry.table).select_related("casino").first()
    duty = fault_duty(table, said.at, fields["equipment"], fields["effect"]) if table else FaultDuty()
    fault = Fault(log=entry.log, index=entry.index, stops_play=duty.stops_play, clause=duty.clause, **fields)
    if table is not None and duty.told:
        fault.alert_index = _tell(said, fault, table, duty, clock())
    fault.save(force_insert=True)


def _tell(said: Said, fault: Fault, table: Table, duty: FaultDuty, now: datetime) -> int:
    stopped = " Play is stopped until it is mended." if duty.stops_play else ""
    alert = raise_alert(
        casino=table.casino, duty=FAULT_DUTY, to=duty.told, clause=duty.clause, table=table.slug,
        statement=f"{table}: {fault_words(fault)}.{stopped}", about=(said.entry.log, said.entry.index),
        immediately=duty.at_once, fact_at=said.at, now=now,
    )  # fmt: skip
    return alert.entry_index


def fault_words(fault: Fault) -> str:
    """Electrical device, not lit."""
    return f"{fault.equipment.replace('-', ' ')}, {fault.effect.replace('-', ' ')}".capitalize()


def _mend(said: Said) -> None:
    failing = Fault.objects.filter(log=said.entry.log, table=said.entry.table, name=said.body.get("fault"))
    failing.unmended().update(mended_at=said.at, mended_index=said.entry.index, mended_by=said.by)


def _return(said: Said) -> None:
    """Signed for by a person: the faults are named by the entries that reported them."""
    faults = Fault.objects.filter(log=said.entry.log, index__in=said.body["faults"], mended_at__isnull=False)
    faults.update(returned_at=said.at, returned_index=said.entry.index, returned_by=said.by)


# --- What comes and goes --------------------------------------------------------------------------------------------


def _leave(said: Said, piece: Piece, name: str | None, because: str) -> None:
    there = Custody.objects.filter(log=said.entry.log, table=said.entry.table).of(piece).present()
    there = there.filter(name=name) if name is not None else there
    there.update(removed_at=said.at, removed_index=said.entry.index, removed_because=because)


def _dice_leave(said: Said) -> None:
    _leave(said, Piece.DICE, said.body.get("dice", ""), str(said.body.get("reason", "other")))


def _shaker_leaves(said: Said) -> None:
    _leave(said, Piece.SHAKER, said.body.get("shaker", ""), "")


# --- What was taken back --------------------------------------------------------------------------------------------


def _take_back(entry: Recorded) -> None:
    """What the wrong entry made never was; what it ended goes on."""
    index = _wrong_index(entry)
    if index is None:
        return
    for model in MODELS:
        model._default_manager.filter(log=entry.log, index=index).delete()
    Custody.objects.filter(log=entry.log, removed_index=index).update(
        removed_at=None, removed_index=None, removed_because=""
    )
    Fault.objects.filter(log=entry.log, mended_index=index, returned_at=None).update(
        mended_at=None, mended_index=None, mended_by=""
    )


def _wrong_index(entry: Recorded) -> int | None:
    content = entry.content()
    if entry.kind != CONTROLLER_CORRECTION:
        return int(content["corrects"])
    sequence = content["body"]["corrects"]
    found = numbered_entries(entry.log, entry.table or "", entry.controller or "", [sequence])
    return found[sequence].index if sequence in found else None


MOVES: Mapping[str, Callable[[Said], None]] = {
    "fault-cleared": _mend,
    RETURNED: _return,
    "dice-removed": _dice_leave,
    "shaker-removed": _shaker_leaves,
}
FOLLOWED = frozenset({*MAKES, *MOVES, *CORRECTIONS})
