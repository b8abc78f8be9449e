"""Everything that is shown beside the text of a pack: faults, what changes, house edges, worked cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, Literal

from rounds.engine.lines import settle_line
from rounds.engine.packs import Pack, read_content
from rounds.engine.shelf import Shelf
from rounds.rulebook.comparing import Comparison, compare
from rounds.rulebook.editing.faults import Fault, faults_of
from rounds.rulebook.editing.partly import PartOfPack, read_partly
from rounds.rulebook.editing.places import Places, Section
from rounds.rulebook.gate import JudgedRow, judged_rows
from rounds.rulebook.shelves import NamedRules
from rounds.rulepacks.golden import comparable, golden_cases

MOST_FAULTS = 100
MOST_CHANGED_LINES = 400
LINES_AROUND = 2


@dataclass(frozen=True, slots=True)
class Question:
    """A text, the text it began as, and the readings that each adopts. `other`: a text to tell it from besides."""

    text: str
    began_as: str
    readings: Mapping[str, str]
    began_readings: Mapping[str, str]
    other: str | None = None


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line of the comparison. `number` is its line in the text; in what it began as, where it is gone."""

    kind: Literal["same", "gone", "new", "gap"]
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A case worked by hand from the document, which this text settles otherwise."""

    name: str
    clauses: tuple[str, ...]
    why: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Examined:
    """`name` is empty unless the whole pack can be used. `left_out`: what the edges and changes go without."""

    faults: tuple[Fault, ...]
    count_of_faults: int
    name: str
    sections: tuple[Section, ...]
    changed_lines: tuple[ChangedLine, ...]
    count_of_changes: int
    from_the_other: tuple[ChangedLine, ...] = ()
    left_out: tuple[str, ...] = ()
    edges: tuple[JudgedRow, ...] = ()
    edges_before: tuple[JudgedRow, ...] = ()
    comparison: Comparison | None = None
    cases: int = 0
    failed_cases: tuple[FailedCase, ...] = ()

    @property
    def has_results(self) -> bool:
        """Whether enough could be read to work anything out."""
        return bool(self.edges)


def examine(question: Question) -> Examined:
    content = question.text.encode()
    places = Places(question.text)
    read = read_content(content)
    faults = [] if isinstance(read, Pack) else faults_of(read, places)
    changed, other = changed_lines(question.began_as, question.text), question.other
    return Examined(
        faults=tuple(faults[:MOST_FAULTS]),
        count_of_faults=len(faults),
        name=read.name if isinstance(read, Pack) else "",
        sections=tuple(places.sections),
        changed_lines=tuple(changed[:MOST_CHANGED_LINES]),
        count_of_changes=sum(line.kind in ("gone", "new") for line in changed),
        from_the_other=() if other is None else tuple(changed_lines(other, question.text)[:MOST_CHANGED_LINES]),
        **_results(content, read, question),
    )


def _results(content: bytes, read: object, question: Question) -> dict[str, Any]:
    if isinstance(read, Pack):
        part: PartOfPack | None = PartOfPack(read, (), frozenset(), True)
    else:
        part = read_partly(content)
    if part is None:
        return {}
    pack, left_out = part.pack, part.left_out
    readings = readings_kept(pack, question.readings)
    before = _began_as(question.began_as)
    results: dict[str, Any] = {"left_out": left_out, "edges": tuple(judged_rows(pack, readings))}
    if before is not None:
        was = readings_kept(before, question.began_readings)
        results["edges_before"] = tuple(judged_rows(before, was))
        comparison = compare(NamedRules(before, None, was), NamedRules(pack, None, readings))
        results["comparison"] = _apart_from(comparison, before, part.wagers_left_out)
    if part.has_every_field and not left_out:
        results |= _worked_cases(pack)
    return results


def _apart_from(comparison: Comparison, before: Pack, wagers: frozenset[str]) -> Comparison:
    """A wager that could not be read is not one that was taken away."""
    codes = {code for name in wagers if name in before.law.wager for code in before.law.wager[name].bets}
    pairs = [replace(pair, cells=[cell for cell in pair.cells if cell.code not in codes]) for pair in comparison.pairs]
    return replace(comparison, pairs=pairs)


@lru_cache(maxsize=8)
def _began_as(text: str) -> Pack | None:
    read = read_content(text.encode())
    if isinstance(read, Pack):
        return read
    partly = read_partly(text.encode())
    return None if partly is None else partly.pack


def readings_kept(pack: Pack, chosen: Mapping[str, str]) -> dict[str, str]:
    """What was chosen, as far as the pack still has it; its defaults for the rest."""
    return {
        name: chosen[name] if chosen.get(name) in reading.choices else reading.default
        for name, reading in pack.readings.items()
    }


def _worked_cases(pack: Pack) -> dict[str, Any]:
    shelf, cases = Shelf([pack]), golden_cases(pack.slug)
    failed = []
    for case in cases:
        found = comparable(settle_line(shelf, case.line))
        if found != case.expect:
            expected, found_words = _words(case.expect, found), _words(found, case.expect)
            failed.append(FailedCase(case.name, case.clauses, case.why, expected, found_words))
    return {"cases": len(cases), "failed_cases": tuple(failed)}


def _words(answer: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """What one answer says where the other says something else."""
    said = []
    for key, value in answer.items():
        if other.get(key) == value:
            continue
        if key == "alternatives":
            said.append(", ".join(f"{each['reading']} as {each['choice']}: {each['verdict']}" for each in value))
        else:
            said.append(f"{key} {value / 100:.2f}" if isinstance(value, int) else f"{key} {value or 'none'}")
    return "; ".join(filter(None, said)) or "nothing else"


def changed_lines(before: str, after: str) -> list[ChangedLine]:
    """What differs line by line, with a little of what stands around it."""
    old, new = before.split("\n"), after.split("\n")
    lines: list[ChangedLine] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(LINES_AROUND):
        if lines:
            lines.append(ChangedLine("gap", 0, ""))
        for kind, old_from, old_to, new_from, new_to in group:
            if kind == "equal":
                lines += [ChangedLine("same", at + 1, new[at]) for at in range(new_from, new_to)]
                continue
            lines += [ChangedLine("gone", at + 1, old[at]) for at in range(old_from, old_to)]
            lines += [ChangedLine("new", at + 1, new[at]) for at in range(new_from, new_to)]
    return lines
