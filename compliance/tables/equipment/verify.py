"""`verify_ledger`: compares manual lines and projected equipment rows with their entries."""

from collections.abc import Iterator, Sequence

from compliance.tables.equipment.consumer import CONSUMER
from compliance.tables.equipment.models import ManualLine
from compliance.tables.equipment.projections import Fault, ProjectedRow
from compliance.tables.equipment.row_mapping import PROJECTED_MODELS, ROW_MAPPINGS, parse_entry, row_fields
from rounds.intake import entry_kinds
from rounds.ledger import LogEntry, corrections_of, position_of, read_entries, register_projection, size_of

# Manual openings and closings are stored by other apps.
OPEN_CLOSE_KINDS = frozenset({entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED})
MANUAL_KINDS = (
    frozenset({*ROW_MAPPINGS, entry_kinds.FAULT_CLEARED, entry_kinds.DICE_REMOVED, entry_kinds.SHAKER_REMOVED})
    - OPEN_CLOSE_KINDS
)


def register_verification() -> None:
    register_projection("What people recorded of equipment", MANUAL_KINDS, verify_manual_lines)
    register_projection(
        "Equipment as it stands", ROW_MAPPINGS, verify_rows, read_position=lambda log: position_of(CONSUMER, log)
    )


def verify_manual_lines(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Entries without a controller and ManualLine rows must match one to one, with the same body."""
    rows = {row.entry_index: row for row in ManualLine.rows_between(log, first, last)}
    for entry in entries:
        if entry.controller is not None:
            continue
        row = rows.pop(entry.index, None)
        if row is None:
            yield entry.index, "nobody here recorded it."
        elif dict(row.entry_body()) != entry.content():
            yield entry.index, "what was recorded is now kept as something else."
    for index in rows:
        yield index, "somebody is said to have recorded it, and it says nothing of the kind."


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    corrected = corrections_of(log, [entry.index for entry in entries])
    rows = _projected_rows(log, first, last)
    for entry in entries:
        line = parse_entry(entry)
        fields = row_fields(line) if line else None
        row = rows.pop(entry.index, None)
        if fields is None or entry.index in corrected:
            continue
        if row is None:
            # A repeated report of the same fault creates no row.
            if ROW_MAPPINGS[entry.kind][0] is not Fault and not _was_corrected(entry):
                yield entry.index, "the equipment pages have lost it."
        elif any(getattr(row, name) != value for name, value in fields.items()):
            yield entry.index, "the equipment pages show something else of it."
    for index in rows:
        yield index, "the equipment pages claim to have it from this entry."


def _was_corrected(entry: LogEntry) -> bool:
    """Whether its controller corrected it later. The correction names the line's sequence number."""
    later = read_entries(entry.log, entry.index, size_of(entry.log), [entry_kinds.CONTROLLER_CORRECTION])
    return any(
        (each.table, each.controller, each.content()["body"]["corrects"])
        == (entry.table, entry.controller, entry.sequence)
        for each in later
    )


def _projected_rows(log: str, first: int, last: int) -> dict[int, ProjectedRow]:
    return {
        row.index: row
        for model in PROJECTED_MODELS
        for row in model._default_manager.filter(log=log, index__gte=first, index__lt=last)
    }
