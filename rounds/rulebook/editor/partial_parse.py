"""Parses as much of an incomplete pack as possible, so that the editor can show edges and changes while people type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from typing import Any, get_type_hints

from rounds.engine import Pack
from rounds.engine import pack as engine_pack

# A text with more unparseable lines is given up on.
MAX_LINES_LEFT_OUT = 3
_LINE = re.compile(r"\(at line (\d+),")


@dataclass(frozen=True)
class PartialPack:
    """`pack` has the fields that could be parsed and None for the others. `left_out` names what is missing."""

    pack: Pack
    left_out: tuple[str, ...]
    wagers_left_out: frozenset[str]
    has_every_field: bool


def parse_partial_pack(content: bytes) -> PartialPack | None:
    """The parseable part of a pack; None if the wagers and their odds cannot be parsed."""
    left_out: list[str] = []
    table = _parse_readable_lines(content, left_out)
    if table is None:
        return None
    wagers: set[str] = set()
    law = _read_valid_law(table, wagers)
    left_out += [f"wager {name}" for name in sorted(wagers)]
    if law is None:
        return None
    hints = get_type_hints(engine_pack.PackFile)
    read: dict[str, Any] = {each.name: None for each in fields(engine_pack.PackFile)}
    for name in read.keys() - {"law"}:
        with suppress(engine_pack.PackRefused):
            read[name] = engine_pack.read_value(hints[name], table.get(name), name)
    has_every_field = all(name in table for name in read) and not any(
        read[name] is None and table[name] != engine_pack.SILENT for name in read.keys() - {"law"}
    )
    if read["conduct"] is None and not _read_card_rules(table, read):
        return None
    read |= {"law": law, "slug": read["slug"] or "these-rules", "version": read["version"] or "draft"}
    read["readings"] = read["readings"] or {}
    pack = Pack(**read, pack_sha256="", law_table=table["law"])
    pack = _drop_invalid_readings(pack, left_out)
    return PartialPack(pack, tuple(left_out), frozenset(wagers), has_every_field)


def _parse_readable_lines(content: bytes, left_out: list[str]) -> dict[str, Any] | None:
    """The TOML table without the lines that cannot be parsed; None if there are more than MAX_LINES_LEFT_OUT."""
    lines = content.split(b"\n")
    for _ in range(MAX_LINES_LEFT_OUT + 1):
        try:
            return engine_pack.parse_toml(b"\n".join(lines))
        except engine_pack.PackRefused as refusal:
            found = _LINE.search(refusal.problems[0].found)
            if found is None or int(found[1]) > len(lines):
                return None
            lines[int(found[1]) - 1] = b""
            left_out.append(f"line {found[1]}")
    return None


def _read_valid_law(table: dict[str, Any], left_out: set[str]) -> engine_pack.Law | None:
    """The law without wagers that cannot be parsed or have invalid odds. Two attempts: the second without these."""
    for _ in range(2):
        try:
            law: engine_pack.Law = engine_pack.read_value(engine_pack.Law, table.get("law"), "law")
        except engine_pack.PackRefused as refusal:
            problems: Iterable[engine_pack.Problem] = refusal.problems
        else:
            problems = list(engine_pack.find_law_problems(law, "law"))
            if not problems:
                return law
        bad = [_wager_with_problem(problem, table) for problem in problems]
        wagers = {name for name in bad if name is not None}
        if not wagers or None in bad:
            return None
        table["law"] = _law_without_wagers(table["law"], wagers)
        left_out |= wagers
    return None


def _wager_with_problem(problem: engine_pack.Problem, table: Mapping[str, Any]) -> str | None:
    """The key of the wager that a problem is about; None if it is not about one wager."""
    law = table["law"] if isinstance(table.get("law"), dict) else {}
    if found := re.match(r"law\.wager\.([^.]+)", problem.key):
        return found[1]
    if found := re.search(r"odds for (\S+) \(", problem.found):
        wagers = law["wager"].items()
        return next((name for name, wager in wagers if found[1] in wager["bets"]), None)
    if found := re.match(r"law\.pay_table\.([^.]+)\.pays\.([^.]+)", problem.key):
        row = law.get("pay_table", {}).get(found[1], {}).get("pays", {}).get(found[2])
        wager = row.get("wager") if isinstance(row, dict) else None
        return wager if isinstance(wager, str) else None
    return None


def _law_without_wagers(law: Mapping[str, Any], wagers: set[str]) -> dict[str, Any]:
    remaining = deepcopy(dict(law))
    for name in wagers:
        remaining["wager"].pop(name, None)
    for pay_table in remaining["pay_table"].values():
        rows = pay_table["pays"]
        pay_table["pays"] = {key: row for key, row in rows.items() if row.get("wager") not in wagers}
    # The list of winners on a triple also names the removed wagers, so it would no longer validate.
    remaining["on_triple_only_wins"] = engine_pack.SILENT
    return remaining


def _read_card_rules(table: Mapping[str, Any], read: dict[str, Any]) -> bool:
    """Sets a stand-in for `conduct` with its cards only, which is all that house edges need. False if that fails."""
    conduct = table.get("conduct")
    cards = conduct.get("cards") if isinstance(conduct, dict) else None
    try:
        read["conduct"] = SimpleNamespace(
            cards=engine_pack.read_value(engine_pack.Cards | None, cards, "conduct.cards")
        )
    except engine_pack.PackRefused:
        return False
    return True


def _drop_invalid_readings(pack: Pack, left_out: list[str]) -> Pack:
    bad = {
        problem.key.split(".")[1] if "." in problem.key else ""
        for problem in engine_pack.find_clause_reading_problems(pack)
    }
    if "" in bad:
        bad = set(pack.readings)
    if not bad:
        return pack
    left_out += [f"reading {name}" for name in sorted(bad)]
    return replace(pack, readings={name: each for name, each in pack.readings.items() if name not in bad})
