"""Tables shown next to the text in the editor: house edges with their previous values, changes, failed cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from compliance.core.web.ui.components import Column, DataTable, Tag
from rounds.rulebook.editor.analysis import FailedCase, PackAnalysis
from rounds.rulebook.editor.toml_positions import TomlSection
from rounds.rulebook.packs.formatting import format_percent
from rounds.rulebook.pages import tables
from rounds.rulebook.pages.version import diff_tables
from rounds.rulebook.versions.approval_gate import RatedEdgeRow

CHAPTER_TITLES = {
    "evidence": "The document",
    "roles": "Roles",
    "law": "Wagers and what they pay",
    "readings": "Readings",
    "conduct": "How a round is conducted",
    "duties": "Duties around the table",
    "procedures": "Procedures",
    "clauses": "Clauses",
}
# Display names of key parts in headings.
HEADING_LABELS = {"wager": "Wager", "pay_table": "Pay table", "pairs": "pair", "pays": "what it pays"}


def analysis_context(analysis: PackAnalysis) -> dict[str, Any]:
    """The template context for an analysis, without its problems."""
    comparison = analysis.comparison
    return {
        "contents": table_of_contents(analysis.sections),
        "edges": house_edges_table(analysis, is_adopted=True),
        "other_edges": house_edges_table(analysis, is_adopted=False),
        "outside": sum(row.is_outside_ordinary_range for row in analysis.edges if row.is_adopted),
        "others_outside": sum(row.is_outside_ordinary_range for row in analysis.edges if not row.is_adopted),
        "changes": list(diff_tables(comparison)) if comparison else [],
        "lost": [pair.before for pair in comparison.pairs if pair.after is None] if comparison else [],
        "new": [pair.after for pair in comparison.pairs if pair.before is None] if comparison else [],
        "failed": failed_cases_table(analysis.failed_cases),
    }


@dataclass(frozen=True)
class Chapter:
    """A top-level part of the pack and the headings inside it."""

    title: str
    line: int
    sections: list[TomlSection]


def table_of_contents(sections: Iterable[TomlSection]) -> list[Chapter]:
    chapters = []
    for head, found in groupby(sections, key=lambda section: section.name.partition(".")[0]):
        within = list(found)
        # List elements have only a number, which is no useful heading.
        named = [each for each in within if each.name != head and not each.name.rpartition(".")[2].isdecimal()]
        labelled = [TomlSection(_heading_label(each.name), each.line) for each in named]
        chapters.append(Chapter(CHAPTER_TITLES.get(head, head), within[0].line, labelled))
    return chapters


def _heading_label(name: str) -> str:
    parts = [HEADING_LABELS.get(part, part.replace("_", " ")) for part in name.split(".")[1:]]
    return " ".join(part for part in parts if part != "choices")


def house_edges_table(analysis: PackAnalysis, *, is_adopted: bool) -> DataTable:
    rows = sorted(
        (row for row in analysis.edges if row.is_adopted == is_adopted),
        key=lambda row: not row.is_outside_ordinary_range,
    )
    before = {_edge_key(row, code): row for row in analysis.edges_before for code in row.row.codes}
    has_tables = len({row.row.terms.pay_table for row in analysis.edges}) > 1
    columns = [
        Column("Bets", lambda row: _bets_cell(row, has_tables), is_row_heading=True),
        Column("House edge", tables.edge_html, is_figure=True),
        Column("Before", lambda row: _edges_before_cell(row, before), is_figure=True),
        Column("Range", lambda row: tables.edge_range_tag(row) if row.is_outside_ordinary_range else "ordinary"),
    ]
    return DataTable(
        caption="House edges" if is_adopted else "House edges under readings that are not chosen",
        columns=columns,
        rows=rows,
        page_size=tables.ALL_ROWS,
        empty="There are none.",
        is_caption_hidden=True,
        name="edges" if is_adopted else "other-edges",
    )


def _edge_key(row: RatedEdgeRow, code: str) -> tuple[Any, ...]:
    return (row.row.terms.pay_table, row.row.terms.readings, code)


def _bets_cell(row: RatedEdgeRow, has_tables: bool) -> SafeString:
    """The bets of a row, with the pay table if there are several, and the non-default readings."""
    terms = row.row.terms
    under = [f"pay table {terms.pay_table}"] if has_tables else []
    under += [f"{name}: {choice}" for name, choice in terms.readings]
    return format_html('{} <span class="hint">{}</span>', row.row.bets, ", ".join(under))


def _edges_before_cell(row: RatedEdgeRow, before: dict[tuple[Any, ...], RatedEdgeRow]) -> SafeString | Tag | str:
    """The previous edges of the bets, "same" if unchanged, or a tag if the bets are new."""
    previous = list(dict.fromkeys(before.get(_edge_key(row, code)) for code in row.row.codes))
    if previous == [None]:
        return Tag("New", "info")
    edges = dict.fromkeys(each.row.edges for each in previous if each is not None)
    if list(edges) == [row.row.edges]:
        return "same"
    words = [
        f"{f'{decks} decks: ' if decks is not None else ''}{format_percent(edge)}"
        for one in edges
        for decks, edge in one
    ]
    return format_html_join("", '<span class="line">{}</span>', ((each,) for each in words))


def failed_cases_table(failed: Iterable[FailedCase]) -> DataTable:
    return DataTable(
        caption="Worked cases that come out otherwise",
        columns=(
            Column("Case", lambda case: case.why, is_row_heading=True),
            Column("Clauses", lambda case: ", ".join(case.clauses)),
            Column("Worked by hand", "expected"),
            Column("By this text", "found"),
        ),
        rows=list(failed),
        page_size=tables.ALL_ROWS,
        name="cases",
    )
