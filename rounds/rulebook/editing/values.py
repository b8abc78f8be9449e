"""What people change most of a pack, as single values: odds, clauses, what is optional, limits, readings.

A changed value is written in its own place; every other character of the text, comments and order included, stays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_type_hints

from rounds.engine.law import OverMaximum, UnderMinimum
from rounds.rulebook.editing.places import Places

Kind = Literal["odds", "clause", "text", "flag", "count", "choice"]
# More fields than a page should have; the text itself has no such limit.
MOST_VALUES = 400


@dataclass(frozen=True, slots=True)
class Value:
    """One field of a form. `now` None: the text does not say; it is added when somebody fills it in."""

    key: str
    label: str
    kind: Kind
    now: Any
    choices: tuple[str, ...] = ()


def parts_of(table: Mapping[str, Any]) -> dict[str, str]:
    """The forms there are for a pack, by the name in their address."""
    odds = {f"odds-{name}": f"Odds of pay table {name}" for name in _tables(table, "law", "pay_table")}
    return odds | {"wagers": "Wagers", "limits": "Limits and times", "readings": "Readings"}


def values_in(table: Mapping[str, Any], part: str) -> list[Value]:
    kind, _, name = part.partition("-")
    finders = {"odds": _odds(table, name), "wagers": _wagers(table), "limits": _limits(table)}
    found = finders.get(kind, _readings(table))
    return [value for value, _ in zip(found, range(MOST_VALUES), strict=False)]


def clauses_in(table: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(_tables(table, "clauses"))


def _tables(table: Mapping[str, Any], *path: str) -> dict[str, dict[str, Any]]:
    """The tables that stand under a key; nothing where the text has something else there."""
    found: Any = table
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return {key: each for key, each in found.items() if isinstance(each, dict)} if isinstance(found, dict) else {}


def _odds(table: Mapping[str, Any], name: str) -> Iterator[Value]:
    wagers = _tables(table, "law", "wager")
    for row, written in _tables(table, "law", "pay_table", name, "pays").items():
        key = f"law.pay_table.{name}.pays.{row}"
        wager = wagers.get(str(written.get("wager")), {}).get("name", written.get("wager"))
        yield Value(f"{key}.odds", f"{wager}, row {row}: odds", "odds", written.get("odds"))
        yield Value(f"{key}.clause", f"{wager}, row {row}: clause", "clause", written.get("clause"))
        yield Value(f"{key}.is_minimum", f"{wager}, row {row}: more may be posted", "flag", written.get("is_minimum"))


def _wagers(table: Mapping[str, Any]) -> Iterator[Value]:
    for name, written in _tables(table, "law", "wager").items():
        key, said = f"law.wager.{name}", written.get("name", name)
        yield Value(f"{key}.name", f"{name}: its name", "text", written.get("name"))
        for clause, label in (("clause", "clause"), ("wins_by", "wins by clause"), ("loses_by", "loses by clause")):
            yield Value(f"{key}.{clause}", f"{said}: {label}", "clause", written.get(clause))
        yield Value(f"{key}.is_optional", f"{said}: a table need not offer it", "flag", written.get("is_optional"))


def _limits(table: Mapping[str, Any]) -> Iterator[Value]:
    for name, kind, field, label in (
        ("over_maximum", OverMaximum, "counted", "The maximum is counted"),
        ("under_minimum", UnderMinimum, "settled", "A wager below the minimum is"),
    ):
        written = _tables(table, "law", "settlement").get(name)
        if written is not None:
            choices = get_args(get_type_hints(kind)[field])
            yield Value(f"law.settlement.{name}.{field}", label, "choice", written.get(field), choices)
    yield from _counts(table.get("duties"), "duties")


def _counts(table: object, key: str) -> Iterator[Value]:
    """Every number of the duties: minutes of notice, hours, cents."""
    children = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for name, each in children:
        if type(each) is int:
            label = " ".join(f"{key}.{name}".split(".")[1:]).replace("_", " ")
            yield Value(f"{key}.{name}", label[:1].upper() + label[1:], "count", each)
        else:
            yield from _counts(each, f"{key}.{name}")


def _readings(table: Mapping[str, Any]) -> Iterator[Value]:
    for name, written in _tables(table, "readings").items():
        key = f"readings.{name}"
        yield Value(f"{key}.clause", f"{name}: clause", "clause", written.get("clause"))
        yield Value(f"{key}.explains", f"{name}: what is asked", "text", written.get("explains"))
        for choice, said in _tables(table, "readings", name, "choices").items():
            yield Value(f"{key}.choices.{choice}.explains", f"{name}, {choice}: means", "text", said.get("explains"))


def rewrite(text: str, changes: Mapping[str, object]) -> str:
    """The text with these values; one that is not there yet is added to its table."""
    places = Places(text)
    found = [(place, value) for key, value in changes.items() if (place := places.of(key)) is not None]
    # From the end, so that the places before stay where they are.
    for place, value in sorted(found, key=lambda pair: pair[0].start, reverse=True):
        text = text[: place.start] + _written(value) + text[place.end :]
    for key, value in changes.items():
        if places.of(key) is None:
            text = _add(text, key, _written(value))
    return text


def _add(text: str, key: str, written: str) -> str:
    table, _, name = key.rpartition(".")
    home = Places(text).of(table)
    if home is None or home.adds_at < 0:
        return text
    added = f", {name} = {written}" if home.is_inline else f"\n{name} = {written}"
    return text[: home.adds_at] + added + text[home.adds_at :]


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:_}" if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
