"""Facts that tables report: read out of controllers' entries, never refused, taken back when they are corrected."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
import structlog

from rounds.floor.errors import BadFact
from rounds.floor.facts import NAME_OF
from rounds.floor.models import Fact, Source, Table, TakenBack
from rounds.floor.values import (
    Decks,
    DiceInUse,
    Limits,
    PostedOdds,
    ShakerInUse,
    SmallestChip,
    Value,
    plain,
    read_value,
)
from rounds.ledger.following import Recorded, followed_up_to
from rounds.ledger.kinds import CORRECTION

logger = structlog.get_logger(__name__)

CONSUMER = "floor"
CONTROLLER_CORRECTION = "controller-correction"
# What a controller says of its table, by the kind of its entry; the kinds are registered by the app that takes them in.
Body = Mapping[str, Any]


def _limits(body: Body) -> Iterator[Value]:
    stated = dict(body["limits"])
    payable_cents = stated.pop("payable_unit", None)
    yield read_value(Limits, stated)
    if payable_cents is not None:
        yield read_value(SmallestChip, {"cents": payable_cents})


def _posted_odds(body: Body) -> Iterator[Value]:
    """Of the table itself: what a brochure says is posted nowhere."""
    if body.get("where") != "brochure":
        yield read_value(PostedOdds, {"odds": body["odds"], "wording": body.get("wording")})


def _dice_placed(body: Body) -> Iterator[Value]:
    yield read_value(DiceInUse, {"dice": body["dice"]})


def _shaker_placed(body: Body) -> Iterator[Value]:
    yield read_value(ShakerInUse, {"shaker": body["shaker"], "type": body["type"]})


def _shoe_changed(body: Body) -> Iterator[Value]:
    yield read_value(Decks, {"decks": body["decks"]})


def _dice_removed(body: Body) -> Iterator[Value]:
    yield DiceInUse(dice=None)


def _shaker_removed(body: Body) -> Iterator[Value]:
    yield ShakerInUse(shaker=None)


READERS: Mapping[str, Callable[[Body], Iterator[Value]]] = {
    "limits-changed": _limits,
    "posted-odds-shown": _posted_odds,
    "dice-placed": _dice_placed,
    "dice-removed": _dice_removed,
    "shaker-placed": _shaker_placed,
    "shaker-removed": _shaker_removed,
    "shoe-changed": _shoe_changed,
}
# Which piece a removal is about: one that came before it left must not be taken for gone.
REMOVALS = {"dice-removed": "dice", "shaker-removed": "shaker"}
REPORTED = (Source.CONTROLLER, Source.RECORD)
FOLLOWED = frozenset({*READERS, CONTROLLER_CORRECTION, CORRECTION.name})


def facts_in(entry: Recorded) -> list[tuple[str, dict[str, Any], datetime]]:
    """Name, value and instant of each fact that an entry states: the same whenever it is read again."""
    line = entry.content()
    at = msgspec.convert(line["at"], datetime)
    return [(NAME_OF[type(value)], plain(value), at) for value in READERS[entry.kind](line["body"])]


def take_reports(entries: Sequence[Recorded]) -> None:
    """The handler of `follow`: one transaction with the cursor, in the order of the log."""
    tables = _tables(entries)
    for entry in entries:
        if entry.kind in READERS:
            _take_report(entry, tables.get((entry.log, entry.table or "")))
        else:
            _take_correction(entry)


def _tables(entries: Sequence[Recorded]) -> dict[tuple[str, str], Table]:
    slugs = {entry.table for entry in entries if entry.table}
    found = Table.objects.filter(casino__slug__in={entry.log for entry in entries}, slug__in=slugs)
    return {(table.casino.slug, table.slug): table for table in found.select_related("casino")}


def _take_report(entry: Recorded, table: Table | None) -> None:
    said_by = _source(entry)
    if table is None or said_by is None:
        logger.warning("report_of_no_table", log=entry.log, index=entry.index, kind=entry.kind)
        return
    try:
        stated = facts_in(entry)
    except (BadFact, KeyError, TypeError, msgspec.ValidationError) as error:
        # It stays in the log for the audit; the floor has no value that could hold it.
        logger.error("report_not_readable", log=entry.log, index=entry.index, kind=entry.kind, error=str(error))
        return
    for name, value, at in stated:
        if not _is_overtaken(entry, table, name, at):
            Fact.objects.create(
                casino=table.casino, table=table, name=name, value=value, effective_at=at,
                recorded_at=entry.recorded_at, log=entry.log, entry_index=entry.index, **said_by,
            )  # fmt: skip


def _source(entry: Recorded) -> dict[str, Any] | None:
    """Who says so: a controller by its number, or a person whom the line's origin names."""
    if entry.controller is not None and entry.sequence is not None:
        return {"source": Source.CONTROLLER, "controller": entry.controller, "sequence": entry.sequence}
    origin = entry.content().get("origin")
    by = origin.get("by") if isinstance(origin, dict) else None
    if not isinstance(by, dict):
        return None
    return {"source": Source.RECORD, "recorded_by_id": by["id"], "recorded_by_name": by["name"]}


def _is_overtaken(entry: Recorded, table: Table, name: str, at: datetime) -> bool:
    """A set of dice or a shaker that leaves after its successor came: the successor stays in use."""
    piece = REMOVALS.get(entry.kind)
    if piece is None:
        return False
    held = Fact.objects.filter(table=table, terminal=None, name=name).in_force(at).first()
    return held is not None and held.value[piece] not in (None, entry.content()["body"][piece])


def _take_correction(entry: Recorded) -> None:
    content = entry.content()
    if entry.kind == CORRECTION.name:
        by, said = (
            str(content["by"].get("name", "")) if isinstance(content["by"], dict) else str(content["by"]),
            content,
        )
        wrong = Fact.objects.filter(log=entry.log, entry_index=content["corrects"])
    else:
        by, said = f"controller {entry.controller}", content["body"]
        wrong = Fact.objects.filter(
            log=entry.log, table__slug=entry.table, controller=entry.controller, sequence=said["corrects"]
        )
    for fact in wrong.standing():
        TakenBack.objects.create(
            fact=fact, reason=str(said["reason"])[:500], by_name=by[:120], at=entry.recorded_at,
            log=entry.log, entry_index=entry.index,
        )  # fmt: skip


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """For `verify_ledger`: the facts kept of these entries, against what the entries say when read again."""
    kept: dict[int, dict[str, Fact]] = {}
    rows = Fact.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last, source__in=REPORTED)
    for fact in rows:
        kept.setdefault(fact.entry_index, {})[fact.name] = fact
    end = min(last, followed_up_to(CONSUMER, log))
    reports = (entry for entry in entries if entry.kind in READERS and entry.index < end)
    for entry in reports:
        yield from _differing(entry, kept.pop(entry.index, {}))
    for index in kept:
        yield index, "a fact of the floor claims to come from it, and does not."


def _differing(entry: Recorded, kept: Mapping[str, Fact]) -> Iterator[tuple[int, str]]:
    try:
        stated = facts_in(entry)
    except (BadFact, KeyError, TypeError, msgspec.ValidationError):
        stated = []
    for name, value, at in stated:
        fact = kept.get(name)
        if fact is None:
            if entry.kind not in REMOVALS:
                yield entry.index, f"the floor has lost its fact {name}."
        elif (fact.value, fact.effective_at) != (value, at):
            yield entry.index, f"the floor's fact {name} now says something else."


def registered_kinds(known: Iterable[str]) -> frozenset[str]:
    return FOLLOWED & frozenset(known)
