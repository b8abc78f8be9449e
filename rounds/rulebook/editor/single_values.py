"""Single values of a pack as form fields: odds, clauses, optional wagers, limits, readings.

A changed value is rewritten in place; the rest of the text, including comments and order, stays as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_type_hints

from rounds.engine import pack
from rounds.rulebook.editor.toml_positions import TomlPositions

ValueKind = Literal["odds", "clause", "text", "flag", "count", "choice"]
# More fields than a page should have; the text itself has no such limit.
MAX_VALUES = 400


@dataclass(frozen=True, slots=True)
class EditableValue:
    """One field of the form. `now` None: the text has no such key; it is added when the field is filled in."""

    key: str
    label: str
    kind: ValueKind
    now: Any
    choices: tuple[str, ...] = ()


def value_form_titles(table: Mapping[str, Any]) -> dict[str, str]:
    """The titles of the forms for a pack, by the value of the URL parameter `part`."""
    odds = {f"odds-{name}": f"Odds of pay table {name}" for name in _subtables(table, "law", "pay_table")}
    return odds | {"wagers": "Wagers", "limits": "Limits and times", "readings": "Readings"}


def list_editable_values(table: Mapping[str, Any], part: str) -> list[EditableValue]:
    kind, _, name = part.partition("-")
    finders = {"odds": _odds_values(table, name), "wagers": _wager_values(table), "limits": _limit_values(table)}
    found = finders.get(kind, _reading_values(table))
    return [value for value, _ in zip(found, range(MAX_VALUES), strict=False)]


def clause_numbers(table: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(_subtables(table, "clauses"))


def _subtables(table: Mapping[str, Any], *path: str) -> dict[str, dict[str, Any]]:
    """The subtables of the table at a path; empty if there is no table."""
    found: Any = table
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return {key: each for key, each in found.items() if isinstance(each, dict)} if isinstance(found, dict) else {}


def _odds_values(table: Mapping[str, Any], name: str) -> Iterator[EditableValue]:
    wagers = _subtables(table, "law", "wager")
    for row, written in _subtables(table, "law", "pay_table", name, "pays").items():
        key = f"law.pay_table.{name}.pays.{row}"
        wager = wagers.get(str(written.get("wager")), {}).get("name", written.get("wager"))
        yield EditableValue(f"{key}.odds", f"{wager}, row {row}: odds", "odds", written.get("odds"))
        yield EditableValue(f"{key}.clause", f"{wager}, row {row}: clause", "clause", written.get("clause"))
        yield EditableValue(
            f"{key}.is_minimum", f"{wager}, row {row}: more may be posted", "flag", written.get("is_minimum")
        )


def _wager_values(table: Mapping[str, Any]) -> Iterator[EditableValue]:
    for name, written in _subtables(table, "law", "wager").items():
        key, wager = f"law.wager.{name}", written.get("name", name)
        yield EditableValue(f"{key}.name", f"{name}: its name", "text", written.get("name"))
        for clause, label in (("clause", "clause"), ("wins_by", "wins by clause"), ("loses_by", "loses by clause")):
            yield EditableValue(f"{key}.{clause}", f"{wager}: {label}", "clause", written.get(clause))
        yield EditableValue(
            f"{key}.is_optional", f"{wager}: a table need not offer it", "flag", written.get("is_optional")
        )


def _limit_values(table: Mapping[str, Any]) -> Iterator[EditableValue]:
    under = _subtables(table, "law", "settlement").get("under_minimum")
    if under is not None:
        key, label = "law.settlement.under_minimum.settled", "A wager below the minimum is"
        choices = get_args(get_type_hints(pack.UnderMinimum)["settled"])
        yield EditableValue(key, label, "choice", under.get("settled"), choices)
    yield from _integer_values(table.get("duties"), "duties")


def _integer_values(table: object, key: str) -> Iterator[EditableValue]:
    """Every integer in the duties: minutes of notice, hours, cents."""
    children = table.items() if isinstance(table, dict) else enumerate(table) if isinstance(table, list) else ()
    for name, each in children:
        if type(each) is int:
            label = " ".join(f"{key}.{name}".split(".")[1:]).replace("_", " ")
            yield EditableValue(f"{key}.{name}", label[:1].upper() + label[1:], "count", each)
        else:
            yield from _integer_values(each, f"{key}.{name}")


def _reading_values(table: Mapping[str, Any]) -> Iterator[EditableValue]:
    for name, written in _subtables(table, "readings").items():
        key = f"readings.{name}"
        yield EditableValue(f"{key}.clause", f"{name}: clause", "clause", written.get("clause"))
        yield EditableValue(f"{key}.explains", f"{name}: what is asked", "text", written.get("explains"))
        for choice, choice_table in _subtables(table, "readings", name, "choices").items():
            yield EditableValue(
                f"{key}.choices.{choice}.explains", f"{name}, {choice}: means", "text", choice_table.get("explains")
            )


def rewrite_values(text: str, changes: Mapping[str, object]) -> str:
    """The text with these values replaced; a missing key is added to its table."""
    positions = TomlPositions(text)
    existing = [(at, value) for key, value in changes.items() if (at := positions.position_of(key)) is not None]
    # From the end, so that earlier offsets stay valid.
    for at, value in sorted(existing, key=lambda pair: pair[0].start, reverse=True):
        text = text[: at.start] + _toml_literal(value) + text[at.end :]
    for key, value in changes.items():
        if positions.position_of(key) is None:
            text = _insert_value(text, key, _toml_literal(value))
    return text


def _insert_value(text: str, key: str, written: str) -> str:
    table, _, name = key.rpartition(".")
    home = TomlPositions(text).position_of(table)
    if home is None or home.adds_at < 0:
        return text
    added = f", {name} = {written}" if home.is_inline else f"\n{name} = {written}"
    return text[: home.adds_at] + added + text[home.adds_at :]


def _toml_literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:_}" if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
