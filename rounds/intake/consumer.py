"""Ledger consumer: projects what controllers report about their tables into Fact rows. A report is never refused here,
because it has happened; a correction in the log retracts the facts of the corrected entry.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
import structlog

from rounds.floor.errors import BadFact
from rounds.floor.fact_catalogue import NAME_BY_VALUE_TYPE
from rounds.floor.fact_values import (
    DecksValue,
    DiceInUseValue,
    FactValue,
    LimitsValue,
    PostedOddsValue,
    ShakerInUseValue,
    SmallestChipValue,
    read_value,
    value_as_dict,
)
from rounds.floor.models import Fact, FactRetraction, FactSource, Table
from rounds.intake import entry_kinds
from rounds.ledger import LogEntry, position_of
from rounds.ledger import entry_kinds as ledger_kinds

logger = structlog.get_logger(__name__)

CONSUMER = "floor"
# The body of a controller's line.
ReportBody = Mapping[str, Any]


def _parse_limits(body: ReportBody) -> Iterator[FactValue]:
    stated = dict(body["limits"])
    payable_cents = stated.pop("payable_unit", None)
    yield read_value(LimitsValue, stated)
    if payable_cents is not None:
        yield read_value(SmallestChipValue, {"cents": payable_cents})


def _parse_posted_odds(body: ReportBody) -> Iterator[FactValue]:
    """Only odds posted at the table. Odds printed in a brochure are not a fact about the table."""
    if body.get("where") != "brochure":
        yield read_value(PostedOddsValue, {"odds": body["odds"], "wording": body.get("wording")})


def _parse_dice_placed(body: ReportBody) -> Iterator[FactValue]:
    yield read_value(DiceInUseValue, {"dice": body["dice"]})


def _parse_shaker_placed(body: ReportBody) -> Iterator[FactValue]:
    yield read_value(ShakerInUseValue, {"shaker": body["shaker"], "type": body["type"]})


def _parse_shoe_changed(body: ReportBody) -> Iterator[FactValue]:
    yield read_value(DecksValue, {"decks": body["decks"]})


def _parse_dice_removed(body: ReportBody) -> Iterator[FactValue]:
    yield DiceInUseValue(dice=None)


def _parse_shaker_removed(body: ReportBody) -> Iterator[FactValue]:
    yield ShakerInUseValue(shaker=None)


FACT_PARSERS: Mapping[str, Callable[[ReportBody], Iterator[FactValue]]] = {
    entry_kinds.LIMITS_CHANGED: _parse_limits,
    entry_kinds.POSTED_ODDS_SHOWN: _parse_posted_odds,
    entry_kinds.DICE_PLACED: _parse_dice_placed,
    entry_kinds.DICE_REMOVED: _parse_dice_removed,
    entry_kinds.SHAKER_PLACED: _parse_shaker_placed,
    entry_kinds.SHAKER_REMOVED: _parse_shaker_removed,
    entry_kinds.SHOE_CHANGED: _parse_shoe_changed,
}
# The body member that names the removed piece. Needed when a removal is recorded after the next piece was placed: the
# next piece must stay in use.
REMOVED_PIECE: Mapping[str, str] = {entry_kinds.DICE_REMOVED: "dice", entry_kinds.SHAKER_REMOVED: "shaker"}
REPORTED_SOURCES = (FactSource.CONTROLLER, FactSource.RECORD)
CONSUMED_KINDS = frozenset({*FACT_PARSERS, entry_kinds.CONTROLLER_CORRECTION, ledger_kinds.CORRECTION})


def parse_facts(entry: LogEntry) -> list[tuple[str, dict[str, Any], datetime]]:
    """Returns name, value and effective instant of each fact in an entry. Deterministic, so that `verify_rows` can
    compare."""
    line = entry.content()
    at = msgspec.convert(line["at"], datetime)
    return [
        (NAME_BY_VALUE_TYPE[type(value)], value_as_dict(value), at) for value in FACT_PARSERS[entry.kind](line["body"])
    ]


def handle_entries(entries: Sequence[LogEntry]) -> None:
    """Handler passed to `consume_all`. Runs in one transaction with the cursor, in log order."""
    tables = _tables_by_slug(entries)
    for entry in entries:
        if entry.kind in FACT_PARSERS:
            _handle_report(entry, tables.get((entry.log, entry.table or "")))
        else:
            _handle_correction(entry)


def _tables_by_slug(entries: Sequence[LogEntry]) -> dict[tuple[str, str], Table]:
    slugs = {entry.table for entry in entries if entry.table}
    found = Table.objects.filter(casino__slug__in={entry.log for entry in entries}, slug__in=slugs)
    return {(table.casino.slug, table.slug): table for table in found.select_related("casino")}


def _handle_report(entry: LogEntry, table: Table | None) -> None:
    source = _fact_source(entry)
    if table is None or source is None:
        logger.warning("report_of_no_table", log=entry.log, index=entry.index, kind=entry.kind)
        return
    try:
        stated = parse_facts(entry)
    except (BadFact, KeyError, TypeError, msgspec.ValidationError) as error:
        # The entry stays in the log, where the audit judges it. No fact can hold a malformed value.
        logger.error("report_not_readable", log=entry.log, index=entry.index, kind=entry.kind, error=str(error))
        return
    for name, value, at in stated:
        if not _is_superseded(entry, table, name, at):
            Fact.objects.create(
                casino=table.casino,
                table=table,
                name=name,
                value=value,
                effective_at=at,
                recorded_at=entry.recorded_at,
                log=entry.log,
                entry_index=entry.index,
                **source,
            )


def _fact_source(entry: LogEntry) -> dict[str, Any] | None:
    """Source fields of the fact: the controller and its sequence number, or the person named in the line's origin."""
    if entry.controller is not None and entry.sequence is not None:
        return {"source": FactSource.CONTROLLER, "controller": entry.controller, "sequence": entry.sequence}
    origin = entry.content().get("origin")
    by = origin.get("by") if isinstance(origin, dict) else None
    if not isinstance(by, dict):
        return None
    return {"source": FactSource.RECORD, "recorded_by_id": by["id"], "recorded_by_name": by["name"]}


def _is_superseded(entry: LogEntry, table: Table, name: str, at: datetime) -> bool:
    """True if the removed dice or shaker was replaced before the removal was recorded: the replacement stays in use."""
    piece = REMOVED_PIECE.get(entry.kind)
    if piece is None:
        return False
    held = Fact.objects.filter(table=table, terminal=None, name=name).in_force(at).first()
    return held is not None and held.value[piece] not in (None, entry.content()["body"][piece])


def _handle_correction(entry: LogEntry) -> None:
    content = entry.content()
    if entry.kind == ledger_kinds.CORRECTION:
        by, correction = (
            str(content["by"].get("name", "")) if isinstance(content["by"], dict) else str(content["by"]),
            content,
        )
        wrong = Fact.objects.filter(log=entry.log, entry_index=content["corrects"])
    else:
        by, correction = f"controller {entry.controller}", content["body"]
        wrong = Fact.objects.filter(
            log=entry.log, table__slug=entry.table, controller=entry.controller, sequence=correction["corrects"]
        )
    for fact in wrong.not_retracted():
        FactRetraction.objects.create(
            fact=fact,
            reason=str(correction["reason"])[:500],
            by_name=by[:120],
            at=entry.recorded_at,
            log=entry.log,
            entry_index=entry.index,
        )


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Projection check of `verify_ledger`: compares stored facts with what their entries say when parsed again."""
    stored: dict[int, dict[str, Fact]] = {}
    rows = Fact.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last, source__in=REPORTED_SOURCES)
    for fact in rows:
        stored.setdefault(fact.entry_index, {})[fact.name] = fact
    end = min(last, position_of(CONSUMER, log))
    reports = (entry for entry in entries if entry.kind in FACT_PARSERS and entry.index < end)
    for entry in reports:
        yield from _compare_facts(entry, stored.pop(entry.index, {}))
    for index in stored:
        yield index, "a fact of the floor claims to come from it, and does not."


def _compare_facts(entry: LogEntry, stored: Mapping[str, Fact]) -> Iterator[tuple[int, str]]:
    try:
        stated = parse_facts(entry)
    except (BadFact, KeyError, TypeError, msgspec.ValidationError):
        stated = []
    for name, value, at in stated:
        fact = stored.get(name)
        if fact is None:
            if entry.kind not in REMOVED_PIECE:
                yield entry.index, f"the floor has lost its fact {name}."
        elif (fact.value, fact.effective_at) != (value, at):
            yield entry.index, f"the floor's fact {name} now says something else."
