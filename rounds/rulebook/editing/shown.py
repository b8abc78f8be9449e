"""What is shown beside the text, as tables: edges with what they were, and what changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from compliance.web.components import Column, Table, Tag
from rounds.rulebook import tables
from rounds.rulebook.editing.examining import Examined, FailedCase
from rounds.rulebook.editing.places import Section
from rounds.rulebook.gate import JudgedRow
from rounds.rulebook.printing import percent
from rounds.rulebook.views.version import diff_tables

SECTIONS = {
    "evidence": "The document",
    "roles": "Roles",
    "law": "Wagers and what they pay",
    "readings": "Readings",
    "conduct": "How a round is conducted",
    "duties": "Duties around the table",
    "procedures": "Procedures",
    "clauses": "Clauses",
}
# The heads of long parts, in a person's words.
SPOKEN = {"wager": "Wager", "pay_table": "Pay table", "pairs": "pair", "pays": "what it pays"}


def beside(examined: Examined) -> dict[str, Any]:
    """All that the template needs besides the faults."""
    comparison = examined.comparison
    return {
        "contents": contents(examined.sections),
        "edges": edges_table(examined, is_adopted=True),
        "other_edges": edges_table(examined, is_adopted=False),
        "outside": sum(row.is_outside for row in examined.edges if row.is_adopted),
        "others_outside": sum(row.is_outside for row in examined.edges if not row.is_adopted),
        "changes": list(diff_tables(comparison)) if comparison else [],
        "lost": [pair.before for pair in comparison.pairs if pair.after is None] if comparison else [],
        "new": [pair.after for pair in comparison.pairs if pair.before is None] if comparison else [],
        "failed": cases_table(examined.failed_cases),
    }


@dataclass(frozen=True)
class Chapter:
    """A part of the pack, and the headings within it."""

    title: str
    line: int
    sections: list[Section]


def contents(sections: Iterable[Section]) -> list[Chapter]:
    chapters = []
    for head, found in groupby(sections, key=lambda section: section.name.partition(".")[0]):
        within = list(found)
        # The elements of a list have numbers and no names, which help nobody to find one.
        named = [each for each in within if each.name != head and not each.name.rpartition(".")[2].isdecimal()]
        spoken = [Section(_spoken(each.name), each.line) for each in named]
        chapters.append(Chapter(SECTIONS.get(head, head), within[0].line, spoken))
    return chapters


def _spoken(name: str) -> str:
    parts = [SPOKEN.get(part, part.replace("_", " ")) for part in name.split(".")[1:]]
    return " ".join(part for part in parts if part != "choices")


def edges_table(examined: Examined, *, is_adopted: bool) -> Table:
    rows = sorted((row for row in examined.edges if row.is_adopted == is_adopted), key=lambda row: not row.is_outside)
    before = {_terms(row, code): row for row in examined.edges_before for code in row.row.codes}
    has_tables = len({row.row.terms.pay_table for row in examined.edges}) > 1
    columns = [
        Column("Bets", lambda row: _bets(row, has_tables), is_row_heading=True),
        Column("House edge", tables.edge_words, is_figure=True),
        Column("Before", lambda row: _was(row, before), is_figure=True),
        Column("Range", lambda row: tables.range_tag(row) if row.is_outside else "ordinary"),
    ]
    return Table(
        caption="House edges" if is_adopted else "House edges under readings that are not chosen",
        columns=columns,
        rows=rows,
        page_size=tables.EVERY_ROW,
        empty="There are none.",
        is_caption_hidden=True,
        name="edges" if is_adopted else "other-edges",
    )


def _terms(row: JudgedRow, code: str) -> tuple[Any, ...]:
    return (row.row.terms.pay_table, row.row.terms.readings, code)


def _bets(row: JudgedRow, has_tables: bool) -> SafeString:
    """Its boxes; its pay table where there are several; the readings that it takes."""
    terms = row.row.terms
    under = [f"pay table {terms.pay_table}"] if has_tables else []
    under += [f"{name}: {choice}" for name, choice in terms.readings]
    return format_html('{} <span class="hint">{}</span>', row.row.bets, ", ".join(under))


def _was(row: JudgedRow, before: dict[tuple[Any, ...], JudgedRow]) -> SafeString | Tag | str:
    """The edges that its boxes had, where they were other."""
    had = list(dict.fromkeys(before.get(_terms(row, code)) for code in row.row.codes))
    if had == [None]:
        return Tag("New", "info")
    edges = dict.fromkeys(each.row.edges for each in had if each is not None)
    if list(edges) == [row.row.edges]:
        return "same"
    words = [
        f"{f'{decks} decks: ' if decks is not None else ''}{percent(edge)}" for one in edges for decks, edge in one
    ]
    return format_html_join("", '<span class="line">{}</span>', ((each,) for each in words))


def cases_table(failed: Iterable[FailedCase]) -> Table:
    return Table(
        caption="Worked cases that come out otherwise",
        columns=(
            Column("Case", lambda case: case.why, is_row_heading=True),
            Column("Clauses", lambda case: ", ".join(case.clauses)),
            Column("Worked by hand", "expected"),
            Column("By this text", "found"),
        ),
        rows=list(failed),
        page_size=tables.EVERY_ROW,
        name="cases",
    )
