"""A bundle of a range states which sequence numbers of each controller it has, and its verifier checks that."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rounds.ledger.export.completeness import feeds_between
from rounds.ledger.export.export_entries import export_range
from rounds.ledger.writing.append import NewEntry, make_entry
from rounds.transparency_log.offline.feed_completeness import merge_run
from tests.rounds.ledger import harbour_log
from tests.rounds.transparency_log.bundle_tampering import change_lines, inspect, reseal

TABLES, CONTROLLERS = ("SB-7", "SB-8"), ("shaker-1", "shaker-2")


def numbered(table: str, controller: str, sequence: int) -> NewEntry:
    body = b'{"round":"%d"}' % sequence
    return NewEntry(kind="test-round", body=body, table=table, controller=controller, sequence=sequence)


def told(kind: str, **said: Any) -> NewEntry:
    return make_entry(kind, {"controller": "shaker-1", "table": "SB-7", **said}, table="SB-7")


def silent(since: str) -> NewEntry:
    return told("feed-silent", last_seen_at=since, last_sequence=1)


def returned(since: str, at: str) -> NewEntry:
    return told("feed-returned", silent_since=since, seen_at=at)


def export(folder: Path, first: int, end: int) -> list[dict[str, Any]]:
    export_range(log="harbour", first=first, last=end, folder=folder, casino="Harbour", now=harbour_log.OPENED_AT)
    stated: list[dict[str, Any]] = json.loads((folder / "completeness.json").read_bytes())["feeds"]
    return stated


def runs(numbers: set[int]) -> list[list[int]]:
    """Simple reference implementation of runs."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def counted_by_hand(entries: list[NewEntry], first: int, end: int, table: str, controller: str) -> dict[str, Any]:
    own = [
        (index, entry.sequence or 0)
        for index, entry in enumerate(entries)
        if (entry.table, entry.controller) == (table, controller)
    ]
    here = {number for index, number in own if first <= index < end}
    outside = {number for _, number in own} - here
    follows = max((number for number in outside if number < min(here)), default=0)
    between = {number for number in outside if min(here) < number < max(here)}
    return {
        "table": table,
        "controller": controller,
        "first": min(here),
        "last": max(here),
        "count": len(here),
        "follows": follows,
        "elsewhere": runs(between),
        "set_aside": [],
        "silent": [],
        "missing": runs(set(range(follows + 1, max(here))) - here - between),
    }


@pytest.mark.parametrize("seed", range(6))
def test_every_number_is_accounted_for_as_if_counted_by_hand(seed: int, committed_log: str, tmp_path: Path) -> None:
    chance = random.Random(seed)
    entries = [
        numbered(table, controller, number)
        for table in TABLES
        for controller in CONTROLLERS
        for number in range(1, chance.randint(5, 40))
        if chance.random() > 0.1
    ]
    entries.sort(key=lambda entry: (entry.sequence or 0) + chance.randint(0, 8))
    harbour_log.record_all(entries)
    first = chance.randint(0, len(entries) // 2)
    end = chance.randint(first + 1, len(entries))
    here = sorted({(one.table or "", one.controller or "") for one in entries[first:end]})
    expected = [counted_by_hand(entries, first, end, *feed) for feed in here]
    assert export(tmp_path / "home", first, end) == expected
    status, words = inspect(tmp_path / "home")
    assert status == 0, words
    assert f"Completeness, as these entries show it, of {len(here)} feeds:" in words
    for table in TABLES:
        own = [feed for feed in expected if feed["table"] == table]
        assert feeds_between("harbour", table, first, end).as_statement() == own


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 4)), max_size=40))
def test_runs_are_those_of_the_numbers_in_whatever_order_they_come(ranges: list[tuple[int, int]]) -> None:
    joined: list[tuple[int, int]] = []
    for begin, length in ranges:
        merge_run(joined, begin, begin + length)
    numbers = {number for begin, length in ranges for number in range(begin, begin + length + 1)}
    assert [list(run) for run in joined] == runs(numbers)


def test_it_is_told_in_words(committed_log: str, tmp_path: Path) -> None:
    harbour_log.record_all([numbered("SB-7", "shaker-1", number) for number in (1, 2, 3, 4, 5, 8, 9)])
    harbour_log.record_all([numbered("SB-8", "shaker-2", number) for number in (1, 2)])
    export(tmp_path / "home", 3, 9)
    _, words = inspect(tmp_path / "home")
    assert "Table SB-7, controller shaker-1: numbers 4 to 9, MISSING 2: 6 to 7; no silence is recorded here." in words
    assert "Table SB-8, controller shaker-2: numbers 1 to 2, none missing; no silence is recorded here." in words
    export(tmp_path / "later", 5, 7)
    assert "numbers 8 to 9, MISSING 2: 6 to 7" in inspect(tmp_path / "later").words
    export(tmp_path / "whole", 1, 4)
    assert "numbers 2 to 4, none missing, and they follow number 1;" in inspect(tmp_path / "whole").words


def test_a_number_that_was_set_aside_is_not_missing(committed_log: str, tmp_path: Path) -> None:
    harbour_log.record_all([numbered("SB-7", "shaker-1", 1), told("feed-quarantined", sequence=2, code="malformed")])
    harbour_log.record_all([told("feed-quarantined", sequence=None), numbered("SB-7", "shaker-1", 3)])
    [stated] = export(tmp_path / "home", 0, 4)
    assert (stated["missing"], stated["set_aside"]) == ([], [2])
    assert "1 set aside in quarantine" in inspect(tmp_path / "home").words


NOON, ONE, TWO, THREE = (f"2026-11-16T{hour}:00:00.000000Z" for hour in (12, 13, 14, 15))


@pytest.mark.parametrize(
    ("first", "end", "expected"),
    [
        (0, 6, [[NOON, ONE], [TWO, THREE]]),
        # Began before the range and ended in it.
        (2, 4, [[NOON, ONE]]),
        # Began before the range and lasted longer.
        (2, 3, [[NOON, None]]),
        (4, 5, [[TWO, None]]),
        (3, 4, [[NOON, ONE]]),
        (0, 1, []),
        (6, 7, []),
    ],
)
def test_silences_reach_into_a_range_and_out_of_it(
    first: int, end: int, expected: list[list[str | None]], committed_log: str, tmp_path: Path
) -> None:
    harbour_log.record_all([numbered("SB-7", "shaker-1", 1), silent(NOON), numbered("SB-8", "shaker-2", 1)])
    harbour_log.record_all([returned(NOON, ONE), silent(TWO), returned(TWO, THREE), numbered("SB-7", "shaker-1", 2)])
    stated = {feed["controller"]: feed for feed in export(tmp_path / "home", first, end)}
    assert stated.get("shaker-1", {"silent": []})["silent"] == expected
    assert inspect(tmp_path / "home").status == 0
    [*own] = feeds_between("harbour", "SB-7", first, end).as_statement()
    assert [feed["silent"] for feed in own] == ([expected] if "shaker-1" in stated else [])


def drop_a_gap(folder: Path) -> None:
    stated = json.loads((folder / "completeness.json").read_bytes())
    stated["feeds"][0]["missing"] = []
    (folder / "completeness.json").write_text(json.dumps(stated))


def hide_a_silence(folder: Path) -> None:
    stated = json.loads((folder / "completeness.json").read_bytes())
    assert stated["feeds"][0]["silent"] == [[NOON, ONE]]
    stated["feeds"][0]["silent"] = []
    (folder / "completeness.json").write_text(json.dumps(stated))


def leave_a_line_out(folder: Path) -> None:
    """Remove a line and state its number as missing, so that the statement matches the remaining entries."""

    def without_it(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [line for line in lines if '"sequence":5' not in line["header"]]

    change_lines(folder, "entries.ndjson", without_it)
    stated = json.loads((folder / "completeness.json").read_bytes())
    stated["feeds"][0] |= {"count": stated["feeds"][0]["count"] - 1, "missing": [[5, 7]]}
    (folder / "completeness.json").write_text(json.dumps(stated))


def forget_what_came_before(folder: Path) -> None:
    (folder / "beside.ndjson").write_bytes(b"")


def number_it_otherwise(folder: Path) -> None:
    def change(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**line, "header": line["header"].replace('"sequence":3', '"sequence":6')} for line in lines]

    change_lines(folder, "beside.ndjson", change)


def bring_one_from_within(folder: Path) -> None:
    change_lines(folder, "beside.ndjson", lambda lines: [{**line, "index": 4} for line in lines])


@pytest.mark.parametrize(
    ("tamper", "why"),
    [
        (drop_a_gap, "completeness.json says other things of the controllers' numbers than the entries do."),
        (forget_what_came_before, "completeness.json says other things"),
        (number_it_otherwise, "its proof does not lead to the signed root."),
        (bring_one_from_within, "is about an entry that is not beside the range."),
        (hide_a_silence, "completeness.json says other things"),
        (leave_a_line_out, "entries.ndjson"),
    ],
)
def test_a_statement_that_was_changed_does_not_fit(
    tamper: Callable[[Path], None], why: str, committed_log: str, tmp_path: Path
) -> None:
    harbour_log.record_all([numbered("SB-7", "shaker-1", number) for number in (1, 2, 3, 4, 5, 8, 9)])
    harbour_log.record_all([silent(NOON), returned(NOON, ONE)])
    export(tmp_path / "home", 3, 9)
    tamper(tmp_path / "home")
    reseal(tmp_path / "home")
    status, words = inspect(tmp_path / "home")
    assert status == 1
    assert why in words


def test_a_bundle_from_before_there_were_statements_still_fits(committed_log: str, tmp_path: Path) -> None:
    harbour_log.play(5)
    export(tmp_path / "home", 0, 5)
    manifest = json.loads((tmp_path / "home" / "manifest.json").read_text())
    for name in ("completeness.json", "beside.ndjson"):
        del manifest["files"][name]
        (tmp_path / "home" / name).unlink()
    (tmp_path / "home" / "manifest.json").write_text(json.dumps(manifest))
    status, words = inspect(tmp_path / "home")
    assert status == 0
    assert "Completeness" not in words


def test_of_very_many_numbers_elsewhere_only_so_many_are_shown(
    committed_log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rounds.ledger.export.completeness.MAX_RELATED_ENTRIES", 3)
    harbour_log.record_all([numbered("SB-7", "shaker-1", number) for number in (1, 10)])
    harbour_log.record_all([numbered("SB-7", "shaker-1", number) for number in range(2, 10)])
    [stated] = export(tmp_path / "home", 0, 2)
    assert (stated["elsewhere"], stated["missing"]) == ([[2, 4]], [[5, 9]])
    assert inspect(tmp_path / "home").status == 0
