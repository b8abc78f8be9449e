"""Analysis of a pack text: each problem with its line, and the same edges and changes as at approval."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from rounds.engine.pack.pack_file import load_pack, parse_pack
from rounds.rulebook.editor.analysis import AnalysisRequest, PackAnalysis, analyse_pack
from rounds.rulebook.editor.text_problems import locate_problems
from rounds.rulebook.editor.toml_positions import TomlPositions
from rounds.rulebook.packs.diff import compare_rules
from rounds.rulebook.packs.pack_sources import NamedRules
from rounds.rulebook.versions.approval_gate import rate_house_edges
from rounds.rulepacks import PACK_FOLDER
from rounds.rulepacks import golden_cases as golden
from tests.rounds.reference.golden import SLUGS, golden_cases

PACKS = {slug: (PACK_FOLDER / f"{slug}.toml").read_text() for slug in SLUGS}
NSW, MBS = PACKS["nsw-sic-bo"], PACKS["mbs-3-card-sic-bo"]


def examined(text: str, began_as: str = NSW, **readings: str) -> PackAnalysis:
    return analyse_pack(AnalysisRequest(text, began_as, readings, {}))


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


TRIPLE_LINE = line_of(NSW, 'odds = "180 to 1"')


# (original text, replacement, part of the changed text at which the problem is reported, part of the message)
MISTAKES: dict[str, tuple[str, str, str, str]] = {
    "no closing quote": ('title = "Sic Bo (New', "title = Sic Bo (New", "title = Sic", "there must be a value"),
    "text that does not end": ('odds = "180 to 1" }', 'odds = "180 to 1 }', "180 to 1 }", "no closing quote"),
    "no equals sign": ("longest = 12", "longest 12", "longest 12", "must be an equals sign"),
    "name twice": ("longest = 12", "longest = 12\nlongest = 13", "longest = 13", "stands here already"),
    "heading twice": ("[law.wager.big]", "[law.wager.small]", '[law.wager.small]\nname = "Big"', "stands further up"),
    "heading not closed": ("[law.wager.big]", "[law.wager.big", "[law.wager.big", "no closing bracket"),
    "value left over": ("longest = 12", "longest = 12 13", "longest = 12 13", "left over after the value"),
    "unknown key": ("[duties]\n", '[duties]\nsnacks = "none"\n', "snacks", "Found an unknown key"),
    "missing key": ('inspections = "silent"\n', "", "[duties]", "Found nothing, expected this key"),
    "wrong odds": ('odds = "180 to 1"', 'odds = "180 for 1"', "180 for 1", "odds as an exact fraction"),
    "wrong kind": ("longest = 12", 'longest = "12"', 'longest = "12"', "a whole number above 0"),
    "word outside its list": ('event = "tumbled", c', 'event = "gong", c', "gong", "expected one of bets-open"),
    "clause not there": ('wins_by = "3.1.1.1"', 'wins_by = "3.99"', "3.99", "a clause of this pack's clause map"),
    "role not there": ('closed_by = "casino supervisor"', 'closed_by = "x"', 'closed_by = "x"', "Found role 'x'"),
    "clause not bound": ('"3.1.1.1" = {', '"99.9" = { gist = "x", classes = [] }\n"3.1.1.1" = {', '"99.9"', "S"),
    "wager without odds": ('four = { wager = "four", odds = "7 to 1" }\n', "", "[law.wager.four]", "Found no odds for"),
    "odds of no wager": ('wager = "four"', 'wager = "fuor"', '"fuor"', "which has no predicate"),
    "odds twice": ('["total:5", "total:16"]', '["total:4", "total:5", "total:16"]', "1.pays]", "overlapping odds"),
    "level without odds": (
        'single-three = { wager = "single", level = "three", odds = "12 to 1" }',
        "",
        "1.pays]",
        "missing odds",
    ),
    "levels that overlap": (
        "two = { wagered_number_on = [2] }",
        "two = { wagered_number_on = [2, 3] }",
        "[law.wager.single.wins]",
        "single:1 at 1-1-1 wins two and three",
    ),
    "total that is none": ("[4, 5, 6, 7, 8, 9, 10], is", "[4, 19], is", "[4, 19]", "totals from 3 to 18"),
    "reading's default": ('default = "as-printed"', 'default = "x"', 'default = "x"', "expected one of as-printed"),
    "choice that sets nothing": ('"streak.on_fault" = "refund"', '"x.y" = 1', '"x.y"', "expected a key of the law"),
    "list within a list": ('first = "areas-lit", then', "first = 3, then", "first = 3", "expected one of bets-open"),
}


@pytest.mark.parametrize(("old", "new", "at", "words"), MISTAKES.values(), ids=MISTAKES)
def test_each_kind_of_mistake_is_told_with_its_line(old: str, new: str, at: str, words: str) -> None:
    assert old in NSW
    text = NSW.replace(old, new, 1)
    refused = parse_pack(text.encode())
    assert isinstance(refused, tuple)
    faults = locate_problems(refused, TomlPositions(text))
    assert (line_of(text, at), True) in [(fault.line, words in fault.words) for fault in faults], faults
    assert len(faults) <= 2


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not isinstance(value, dict | list):
        yield key, value
    for name, each in children:
        yield from leaves(each, f"{key}.{name}" if key else str(name))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_value_of_a_pack_is_found_where_it_stands(slug: str) -> None:
    text = PACKS[slug]
    places = TomlPositions(text)
    for key, value in leaves(tomllib.loads(text)):
        place = places.position_of(key)
        assert place is not None, key
        assert tomllib.loads(f"it = {text[place.start : place.end]}")["it"] == value, key
        assert place.line == text[: place.start].count("\n") + 1


@pytest.mark.parametrize("slug", SLUGS)
def test_edges_changes_and_cases_are_those_that_the_approval_works_out(slug: str) -> None:
    """With the first odds doubled and every reading at its last choice."""
    before = load_pack(PACKS[slug].encode(), "before.toml")
    at = PACKS[slug].index('odds = "', PACKS[slug].index(".pays]")) + len('odds = "')
    text = f"{PACKS[slug][:at]}7{PACKS[slug][at:]}"
    pack = load_pack(text.encode(), "after.toml")
    readings = {name: list(reading.choices)[-1] for name, reading in pack.readings.items()}
    told = analyse_pack(AnalysisRequest(text, PACKS[slug], readings, {}))
    assert told.edges == tuple(rate_house_edges(pack, readings))
    assert told.comparison == compare_rules(NamedRules(before, None, {}), NamedRules(pack, None, readings))
    assert told.name == pack.name
    assert any(re.search(r"returned \$\d[\d,]*\.\d\d\b", case.found) for case in told.failed_cases)
    assert told.cases == len(golden_cases(slug))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_shipped_pack_has_no_fault_no_change_and_settles_every_worked_case(slug: str) -> None:
    told = examined(PACKS[slug], PACKS[slug])
    assert (told.faults, told.failed_cases, told.changed_lines) == ((), (), ())
    assert told.comparison is not None
    assert told.comparison.is_same
    assert [(case.line, case.expect) for case in golden.golden_cases(slug)] == [
        (case.line, case.expect) for case in golden_cases(slug)
    ]


def test_what_can_be_read_is_worked_out_and_what_is_left_out_is_named() -> None:
    whole = {code for row in examined(NSW).edges for code in row.row.codes}
    for old, new, left_out, lost in (
        ('odds = "180 to 1"', 'odds = "180 for 1"', ("wager triple",), "triple:1"),
        ('odds = "180 to 1"', 'odds = "180 to 1', (f"line {TRIPLE_LINE}", "wager triple"), "triple:1"),
        ("two = { wagered_number_on = [2] }", "two = {}", ("wager single",), "single:1"),
        ('level = "three", odds', 'level = "two", odds', ("wager single",), "single:1"),
        ('inspections = "silent"\n', "", (), ""),
        ('default = "as-printed"', 'default = "x"', ("reading even",), ""),
    ):
        told = examined(NSW.replace(old, new, 1))
        codes = {code for row in told.edges for code in row.row.codes}
        assert told.left_out == left_out
        assert whole - codes == {code for code in whole if lost and code.startswith(lost[:-1])} - {"triple:any"}
        assert told.comparison is not None
        assert told.comparison.is_same
    assert not examined(NSW.replace("[law.pay_table.1.pays]", "[law.pay_table.1.plays]")).has_results


def test_the_lines_that_changed_are_shown_with_their_numbers() -> None:
    text = NSW.replace('odds = "180 to 1"', 'odds = "150 to 1"').replace("longest = 12\n", "")
    told = examined(text)
    changed = [(line.kind, line.number) for line in told.changed_lines if line.kind in ("new", "gone")]
    assert changed == [("gone", TRIPLE_LINE), ("new", TRIPLE_LINE), ("gone", line_of(NSW, "longest = 12"))]
    assert told.count_of_changes == 3


def test_the_contents_of_a_text_are_there_even_where_it_cannot_be_read() -> None:
    broken = NSW.replace("[law.wager.big]", "[law.wager.big")
    assert {section.name for section in TomlPositions(NSW).sections} - {
        section.name for section in TomlPositions(broken).sections
    } == {"law.wager.big"}
