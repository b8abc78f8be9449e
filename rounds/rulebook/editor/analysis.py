"""Analysis of a pack text in the editor: problems, changes since its start, house edges, golden cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, Literal

from rounds.engine import Pack, PackCollection, settle
from rounds.engine import pack as engine_pack
from rounds.engine.money import format_cents
from rounds.rulebook.editor.partial_parse import PartialPack, parse_partial_pack
from rounds.rulebook.editor.text_problems import TextProblem, locate_problems
from rounds.rulebook.editor.toml_positions import TomlPositions, TomlSection
from rounds.rulebook.packs.diff import PackComparison, compare_rules
from rounds.rulebook.packs.pack_sources import NamedRules
from rounds.rulebook.versions.approval_gate import RatedEdgeRow, rate_house_edges
from rounds.rulepacks.golden_cases import comparable_answer, golden_cases

MAX_PROBLEMS = 100
MAX_CHANGED_LINES = 400
CONTEXT_LINES = 2


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A text, its starting text, and the readings adopted with each. `other`: another window's text to diff with."""

    text: str
    began_as: str
    readings: Mapping[str, str]
    began_readings: Mapping[str, str]
    other: str | None = None


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line of the diff. `number` is its line number in the text, or in the starting text if `kind` is "gone"."""

    kind: Literal["same", "gone", "new", "gap"]
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A golden case that this text settles differently."""

    name: str
    clauses: tuple[str, ...]
    why: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class PackAnalysis:
    """Result of an analysis. `name` is empty unless the pack is valid. `left_out`: parts that could not be parsed, and
    which edges and changes therefore do not cover."""

    faults: tuple[TextProblem, ...]
    count_of_faults: int
    name: str
    sections: tuple[TomlSection, ...]
    changed_lines: tuple[ChangedLine, ...]
    count_of_changes: int
    from_the_other: tuple[ChangedLine, ...] = ()
    left_out: tuple[str, ...] = ()
    edges: tuple[RatedEdgeRow, ...] = ()
    edges_before: tuple[RatedEdgeRow, ...] = ()
    comparison: PackComparison | None = None
    cases: int = 0
    failed_cases: tuple[FailedCase, ...] = ()

    @property
    def has_results(self) -> bool:
        """Whether enough could be parsed to compute house edges."""
        return bool(self.edges)


def analyse_pack(analysis_request: AnalysisRequest) -> PackAnalysis:
    content = analysis_request.text.encode()
    positions = TomlPositions(analysis_request.text)
    read = engine_pack.parse_pack(content)
    faults = [] if isinstance(read, Pack) else locate_problems(read, positions)
    changed, other = diff_lines(analysis_request.began_as, analysis_request.text), analysis_request.other
    return PackAnalysis(
        faults=tuple(faults[:MAX_PROBLEMS]),
        count_of_faults=len(faults),
        name=read.name if isinstance(read, Pack) else "",
        sections=tuple(positions.sections),
        changed_lines=tuple(changed[:MAX_CHANGED_LINES]),
        count_of_changes=sum(line.kind in ("gone", "new") for line in changed),
        from_the_other=() if other is None else tuple(diff_lines(other, analysis_request.text)[:MAX_CHANGED_LINES]),
        **_analyse_payouts(content, read, analysis_request),
    )


def _analyse_payouts(content: bytes, read: object, analysis_request: AnalysisRequest) -> dict[str, Any]:
    if isinstance(read, Pack):
        part: PartialPack | None = PartialPack(read, (), frozenset(), True)
    else:
        part = parse_partial_pack(content)
    if part is None:
        return {}
    pack, left_out = part.pack, part.left_out
    readings = carry_over_readings(pack, analysis_request.readings)
    before = _parse_starting_text(analysis_request.began_as)
    results: dict[str, Any] = {"left_out": left_out, "edges": tuple(rate_house_edges(pack, readings))}
    if before is not None:
        was = carry_over_readings(before, analysis_request.began_readings)
        results["edges_before"] = tuple(rate_house_edges(before, was))
        comparison = compare_rules(NamedRules(before, None, was), NamedRules(pack, None, readings))
        results["comparison"] = _without_unread_wagers(comparison, before, part.wagers_left_out)
    if part.has_every_field and not left_out:
        results |= _run_golden_cases(pack)
    return results


def _without_unread_wagers(comparison: PackComparison, before: Pack, wagers: frozenset[str]) -> PackComparison:
    """Removes wagers that could not be parsed from the comparison, which would show them as deleted."""
    codes = {code for name in wagers if name in before.law.wager for code in before.law.wager[name].bets}
    pairs = [replace(pair, cells=[cell for cell in pair.cells if cell.code not in codes]) for pair in comparison.pairs]
    return replace(comparison, pairs=pairs)


@lru_cache(maxsize=8)
def _parse_starting_text(text: str) -> Pack | None:
    read = engine_pack.parse_pack(text.encode())
    if isinstance(read, Pack):
        return read
    partial = parse_partial_pack(text.encode())
    return None if partial is None else partial.pack


def carry_over_readings(pack: Pack, chosen: Mapping[str, str]) -> dict[str, str]:
    """The chosen readings that the pack still has, its defaults for the rest."""
    return {
        name: chosen[name] if chosen.get(name) in reading.choices else reading.default
        for name, reading in pack.readings.items()
    }


def _run_golden_cases(pack: Pack) -> dict[str, Any]:
    packs, cases = PackCollection([pack]), golden_cases(pack.slug)
    failed = []
    for case in cases:
        answer = comparable_answer(settle.settle_line(packs, case.line))
        if answer != case.expect:
            expected_text, found_text = (
                _differing_values_text(case.expect, answer),
                _differing_values_text(answer, case.expect),
            )
            failed.append(FailedCase(case.name, case.clauses, case.why, expected_text, found_text))
    return {"cases": len(cases), "failed_cases": tuple(failed)}


def _differing_values_text(answer: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The values of `answer` that differ from `other`, as text."""
    parts = []
    for key, value in answer.items():
        if other.get(key) == value:
            continue
        if key == "alternatives":
            parts.append(", ".join(f"{each['reading']} as {each['choice']}: {each['verdict']}" for each in value))
        else:
            parts.append(f"{key} {format_cents(value)}" if isinstance(value, int) else f"{key} {value or 'none'}")
    return "; ".join(filter(None, parts)) or "nothing else"


def diff_lines(before: str, after: str) -> list[ChangedLine]:
    """A line diff with CONTEXT_LINES of context around each change."""
    old, new = before.split("\n"), after.split("\n")
    lines: list[ChangedLine] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT_LINES):
        if lines:
            lines.append(ChangedLine("gap", 0, ""))
        for kind, old_from, old_to, new_from, new_to in group:
            if kind == "equal":
                lines += [ChangedLine("same", at + 1, new[at]) for at in range(new_from, new_to)]
                continue
            lines += [ChangedLine("gone", at + 1, old[at]) for at in range(old_from, old_to)]
            lines += [ChangedLine("new", at + 1, new[at]) for at in range(new_from, new_to)]
    return lines
