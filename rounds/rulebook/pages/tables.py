"""Tables of the version page: summary, timeline, wagers with house edges, readings, clauses, roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from compliance.core.accounts.roles import Role
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.links import casino_url
from rounds.engine import Pack, Rules, compile_rules, odds
from rounds.engine import pack as engine_pack
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.packs.clause_coverage import BoundClause, list_bound_clauses
from rounds.rulebook.packs.formatting import format_percent
from rounds.rulebook.packs.plain_text import WagerLine, wager_lines
from rounds.rulebook.selectors import pack_of, rules_of
from rounds.rulebook.states import RuleVersionState
from rounds.rulebook.versions.approval_gate import MAX_ORDINARY_EDGE, RatedEdgeRow, rate_house_edges

ALL_ROWS = 10_000


def format_version_time(instant: Any, version: RuleVersion) -> Any:
    return local(instant, version.time_zone or version.casino)


def version_summary(version: RuleVersion, state: RuleVersionState) -> SummaryList:
    """State, effective time, source document, pack and digests of a version."""
    source = version.source_document
    rows = [
        SummaryRow("State", state.tag),
        SummaryRow("Reference", version.reference),
        SummaryRow("In commands", version.name),
        SummaryRow("Effective from", _effective_time_text(version)),
        SummaryRow("Source document", source.file_name, version.address("document"), "Download"),
        SummaryRow("Digest of the document (SHA-256)", _digest_html(source.sha256)),
        SummaryRow("Same file as the pack was made from", _source_match_tag(version)),
        SummaryRow("Rule pack", version.pack_name),
        SummaryRow("Digest of the pack (SHA-256)", _digest_html(version.pack_id)),
        *(SummaryRow(f"Digest of truth table {name}", _digest_html(sha)) for name, sha in version.truth_sha256.items()),
    ]
    if version.evidence:
        rows.insert(3, SummaryRow("Evidence for that", version.evidence))
    if version.edge_reason:
        rows.append(SummaryRow("Why the edges are accepted", version.edge_reason))
    return SummaryList(rows)


def _digest_html(sha256: str) -> SafeString:
    return format_html("<code>{}</code>", sha256)


def _effective_time_text(version: RuleVersion) -> Any:
    if version.effective_at is None:
        return "Given when it is approved"
    when = format_version_time(version.effective_at, version)
    return format_html("{} (before its approval)", when) if version.is_retroactive else when


def _source_match_tag(version: RuleVersion) -> Any:
    """Whether the uploaded document is the file that the pack was made from. A different file is only a warning: it may
    be the same rules as a PDF."""
    if pack_of(version).source_sha256 == version.source_document.sha256:
        return Tag("Same", "success")
    return Tag("Another", "warning")


def version_timeline(version: RuleVersion) -> Timeline:
    return Timeline(list(_timeline_entries(version)), version.casino, "Who did what")


def _timeline_entries(version: RuleVersion) -> Iterator[TimelineEntry]:
    """The acts on the version, oldest first, each with the index of its ledger entry."""
    where = f"Entry {{:,}} of the log {version.casino.slug}."
    proposed = where.format(version.proposed_index)
    title = "Proposed"
    if version.rules_on is not None:
        title = f"Ruled on the reading “{version.ruled_reading}” of version {version.rules_on.number}"
        proposed = f"{version.ruling_reasons} {proposed}"
    yield TimelineEntry(title, version.proposed_at, f"by {version.proposed_by}", proposed)
    if version.approved_at and version.approved_index is not None:
        yield TimelineEntry(
            "Approved", version.approved_at, f"by {version.approved_by}", where.format(version.approved_index)
        )
    if version.withdrawn_at and version.withdrawn_index is not None:
        why = f"{version.withdrawal_reason} {where.format(version.withdrawn_index)}"
        yield TimelineEntry("Withdrawn", version.withdrawn_at, f"by {version.withdrawn_by}", why)


def pay_table_label(pack: Pack, pay_table: str) -> str:
    layout = pack.law.pay_table[pay_table].layout
    return f"Pay table {pay_table}" + (f", {layout}" if layout else "")


def wager_tables(version: RuleVersion) -> list[DataTable]:
    """One table per pay table: each wager, when it wins, its odds, clauses and exact house edge."""
    pack = pack_of(version)
    edges = [row for row in rate_house_edges(pack, version.readings) if row.is_adopted]
    return [_wager_table(version, table, edges) for table in pack.law.pay_table]


def _wager_table(version: RuleVersion, pay_table: str, edges: list[RatedEdgeRow]) -> DataTable:
    rules = rules_of(version, pay_table)
    by_code = {code: row for row in edges if row.row.terms.pay_table == pay_table for code in row.row.codes}

    def edge_cell(line: WagerLine) -> SafeString:
        rows = dict.fromkeys(by_code[code] for code in line.codes if code in by_code)
        return format_html_join("", "{}", ((edge_html(row),) for row in rows))

    return DataTable(
        caption=pay_table_label(rules.pack, pay_table),
        columns=(
            Column("Wager", wager_name_html, is_row_heading=True),
            Column("Choices", "boxes"),
            Column("Wins when", "wins"),
            Column("Pays", "pays"),
            Column("Clauses", "cited"),
            Column("House edge", edge_cell, is_figure=True),
        ),
        rows=wager_lines(rules),
        page_size=ALL_ROWS,
        name=f"wagers-{pay_table}",
    )


def wager_name_html(line: WagerLine) -> SafeString:
    notes = [
        note for note, holds in (("where offered", line.is_optional), (line.to_be_confirmed, True)) if note and holds
    ]
    return format_html(
        "{}{}", line.name, format_html_join("", ' <span class="hint">({})</span>', ((n,) for n in notes))
    )


def edge_html(judged: RatedEdgeRow) -> SafeString:
    """The edge as "2.78 % (1/36)"; for cards, one line for each number of decks."""
    lines = (
        (f"{decks} decks: " if decks is not None else "", format_percent(edge), str(edge))
        for decks, edge in judged.row.edges
    )
    return format_html_join("", '<span class="line">{}{} <span class="hint">({})</span></span>', lines)


def other_edges_table(version: RuleVersion) -> DataTable:
    """The house edges under readings that are not adopted."""
    rows = [row for row in rate_house_edges(pack_of(version), version.readings) if not row.is_adopted]
    return edges_table(version, rows, caption="House edges under readings that are not adopted", name="other-edges")


def adopted_edges_table(version: RuleVersion) -> DataTable:
    rows = [row for row in rate_house_edges(pack_of(version), version.readings) if row.is_adopted]
    return edges_table(version, rows, caption="House edges of all wagers", name="adopted-edges")


def edges_table(version: RuleVersion, rows: list[RatedEdgeRow], *, caption: str, name: str) -> DataTable:
    return DataTable(
        caption=caption,
        columns=(
            Column("Bets", lambda judged: judged.row.bets, is_row_heading=True),
            Column("Pay table", lambda judged: judged.row.terms.pay_table),
            Column("Readings", lambda judged: _readings_text(judged, version)),
            Column("Range", edge_range_tag),
            Column("House edge", edge_html, is_figure=True),
        ),
        rows=rows,
        page_size=ALL_ROWS,
        empty="There are none.",
        name=name,
    )


def _readings_text(judged: RatedEdgeRow, version: RuleVersion) -> str:
    named = ", ".join(f"{name}: {choice}" for name, choice in judged.row.terms.readings)
    if judged.is_adopted:
        return f"{named} (adopted)" if named else "As adopted"
    return named or "The pack's defaults"


def edge_range_tag(judged: RatedEdgeRow) -> Tag:
    if not judged.is_outside_ordinary_range:
        return Tag("Ordinary")
    if any(edge < 0 for _, edge in judged.row.edges):
        return Tag("Player has the advantage", "danger")
    return Tag(f"Above {format_percent(MAX_ORDINARY_EDGE)}", "warning")


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """One choice of one reading, and what it would change in this version's truth tables."""

    reading: str
    clause: str
    item: str
    question: str
    choice: str
    explains: str
    is_adopted: bool
    changes: str


def readings_table(version: RuleVersion) -> DataTable:
    return DataTable(
        caption="How ambiguous clauses are read",
        columns=(
            Column("Reading", _reading_name, is_row_heading=True),
            Column("Choice", "choice"),
            Column("Means", "explains"),
            Column("Adopted", lambda line: Tag("Adopted", "success") if line.is_adopted else Tag("Not adopted")),
            Column("Would change", lambda line: line.changes if not line.is_adopted else "Nothing: it is adopted"),
        ),
        rows=list(reading_lines(version)),
        page_size=ALL_ROWS,
        empty="This pack has no ambiguous clause that changes what a result pays.",
        name="readings",
    )


def _reading_name(line: ReadingLine) -> SafeString:
    return format_html('{} <span class="hint">(clause {}, {})</span>', line.reading, line.clause, line.item)


def reading_lines(version: RuleVersion) -> Iterator[ReadingLine]:
    pack = pack_of(version)
    adopted = tuple(version.readings.items())
    for name, reading in pack.readings.items():
        for choice, meant in reading.choices.items():
            yield _reading_line(pack, adopted, name, choice, meant)


def _reading_line(
    pack: Pack, adopted: tuple[tuple[str, str], ...], name: str, choice: str, meant: engine_pack.ReadingChoice
) -> ReadingLine:
    reading = pack.readings[name]
    is_adopted = dict(adopted)[name] == choice
    return ReadingLine(
        name,
        reading.clause,
        reading.item,
        reading.explains,
        choice,
        meant.explains,
        is_adopted,
        "" if is_adopted else reading_changes_text(pack, adopted, name, choice),
    )


@lru_cache(maxsize=1024)
def reading_changes_text(pack: Pack, adopted: tuple[tuple[str, str], ...], name: str, choice: str) -> str:
    """What another choice would change, such as "28 results of even", summed over the pay tables. The other readings
    stay as adopted."""
    counts: dict[str, int] = {}
    touches_streak = False
    for table in pack.law.pay_table:
        before, after = _rules_before_and_after(pack, table, dict(adopted), name, choice)
        for cell in odds.truth_table_differences(before, after):
            family = cell.code.partition(":")[0]
            counts[family] = counts.get(family, 0) + 1
        touches_streak = touches_streak or bool(odds.streak_differences(before, after))
    words = [f"{count:,} results of {family}" for family, count in counts.items()]
    if touches_streak:
        words.append("how Super Streak counts")
    return join_as_sentence(words) or "Only what no truth table shows: rounding, tokens or faults"


def _rules_before_and_after(
    pack: Pack, table: str, adopted: Mapping[str, str], name: str, choice: str
) -> tuple[Rules, Rules]:
    return compile_rules(pack, table, adopted), compile_rules(pack, table, {**adopted, name: choice})


def join_as_sentence(words: list[str]) -> str:
    joined = ", ".join(words)
    return joined[:1].upper() + joined[1:]


def clauses_table(version: RuleVersion) -> DataTable:
    return DataTable(
        caption="Every clause of the document, and what implements it",
        columns=(
            Column("Clause", "clause", is_row_heading=True, link=lambda bound: _clause_url(version, bound.clause)),
            Column("In our words", lambda bound: bound.entry.gist),
            Column("Implemented by", _binding_text),
            Column("Violations found", lambda bound: len(bound.proofs) if bound.is_checked else "", is_figure=True),
        ),
        rows=list_bound_clauses([pack_of(version)]),
        page_size=ALL_ROWS,
        name="clauses",
    )


def _binding_text(bound: BoundClause) -> str:
    if not bound.entry.bind:
        return f"Not automated: {bound.entry.not_automated_because}"
    return "; ".join(bound.entry.bind)


def _clause_url(version: RuleVersion, clause: str) -> str:
    return casino_url("audit:clause", version.casino, rules=version.rules, number=version.number, clause=clause)


def roles_table(version: RuleVersion) -> DataTable:
    """The document's words for people and the product roles they mean."""
    return DataTable(
        caption="Whom the document means",
        columns=(
            Column("The document's word", lambda row: row[0], is_row_heading=True),
            Column("Role here", lambda row: ", ".join(Role(name).label for name in row[1].means) or "No role here"),
            Column("Government", lambda row: "Yes" if row[1].is_government else "No"),
            Column("Clause", lambda row: row[1].clause or "Not defined"),
            Column("Note", lambda row: row[1].note),
        ),
        rows=list(pack_of(version).roles.items()),
        page_size=ALL_ROWS,
        name="roles",
    )
