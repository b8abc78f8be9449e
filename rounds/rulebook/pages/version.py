"""Pages of one version: its content, the diff with the previous version, its truth table and its source document."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import User
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.roles import Role
from compliance.core.accounts.separation import is_other_person
from compliance.core.web.ui.components import Column, DataTable, FilterPanel
from compliance.core.web.ui.list_response import ListResponse, export_response, list_response
from compliance.core.web.ui.table_export import AllRows
from rounds.engine import BET_CODES, Rules, odds
from rounds.rulebook.models import RuleVersion, SourceDocument
from rounds.rulebook.packs.diff import PackComparison, TablePair, changed_cell_rows, changed_streak_rows, compare_rules
from rounds.rulebook.packs.pack_sources import NamedRules
from rounds.rulebook.pages import tables
from rounds.rulebook.pages.forms import TruthTableFilter
from rounds.rulebook.pages.home import readers_only
from rounds.rulebook.permissions import MAY_APPROVE, MAY_PROPOSE
from rounds.rulebook.selectors import access_version, pack_of, previous_version, rules_of
from rounds.rulebook.states import RuleVersionState

MEDIA_TYPES = {"text/plain": "text/plain; charset=utf-8"}


@readers_only
@require_safe
def version_page(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    found = access_version(request.user, request.casino, rules, number)
    now = timezone.now()
    pack = pack_of(found)
    context = {
        "casino": request.casino,
        "version": found,
        "pack": pack,
        "facts": tables.version_summary(found, found.state(now)),
        "history": tables.version_timeline(found),
        "wager_tables": tables.wager_tables(found),
        "readings": tables.readings_table(found),
        "other_edges": tables.other_edges_table(found),
        "roles": tables.roles_table(found),
        "clauses": tables.clauses_table(found),
        "before": previous_version(found),
        **_allowed_actions(request.user, found, found.state(now)),
    }
    return render(request, "rulebook/version.html", context)


def _allowed_actions(user: User, found: RuleVersion, state: RuleVersionState) -> dict[str, bool]:
    """The buttons to show to this person. The services check permissions again."""
    is_government = user.has_role(*MAY_APPROVE, casino=found.casino)
    is_waiting = state is RuleVersionState.PROPOSED
    is_own = not is_other_person(user, found.proposed_by_id)
    return {
        "may_approve": is_waiting and is_government and not is_own,
        "is_own_proposal": is_waiting and is_government and is_own,
        "may_withdraw": (is_waiting and is_own)
        or (is_government and state in (RuleVersionState.PROPOSED, RuleVersionState.APPROVED)),
        "may_propose": user.has_role(*MAY_PROPOSE, casino=found.casino),
        "may_rule": state in (RuleVersionState.APPROVED, RuleVersionState.IN_FORCE)
        and user.has_role(Role.INSPECTOR, casino=found.casino),
        "may_try": state is not RuleVersionState.WITHDRAWN
        and user.has_role(Role.AUTHORITY_OFFICER, casino=found.casino),
        "is_published": found.approved_at is not None and state is not RuleVersionState.WITHDRAWN,
    }


@readers_only
@require_safe
def diff_page(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    found = access_version(request.user, request.casino, rules, number)
    context = {"casino": request.casino, "version": found, **difference_context(found)}
    return render(request, "rulebook/diff.html", context)


def difference_context(version: RuleVersion) -> dict[str, Any]:
    """What a version changes against the one before it, for rulebook/differences.html."""
    before = previous_version(version)
    comparison = compare_versions(before, version) if before else None
    return {
        "before": before,
        "is_same": comparison is not None and comparison.is_same,
        "tables": list(diff_tables(comparison)) if comparison else [],
        "lost": [pair.before for pair in comparison.pairs if pair.after is None] if comparison else [],
        "new": [pair.after for pair in comparison.pairs if pair.before is None] if comparison else [],
    }


def compare_versions(before: RuleVersion, after: RuleVersion) -> PackComparison:
    old, new = (NamedRules(pack_of(each), None, dict(each.readings)) for each in (before, after))
    return compare_rules(old, new)


def diff_tables(comparison: PackComparison) -> Iterator[DataTable]:
    for pair in comparison.pairs:
        if pair.cells:
            yield _changed_cells_table(pair)
        if pair.streak_rows:
            yield _streak_table(pair)
    if comparison.terms:
        yield DataTable(
            caption="Terms that no truth table shows",
            columns=(
                Column("Term", "key", is_row_heading=True),
                Column("Before", "before"),
                Column("After", "after"),
            ),
            rows=comparison.terms,
            page_size=tables.ALL_ROWS,
            name="terms",
        )


def _changed_cells_table(pair: TablePair) -> DataTable:
    headings = ("Bet", "Before", "After", "Results", "Which")
    return _plain_rows_table(
        f"Pay table {pair.label}: results that pay otherwise", headings, changed_cell_rows(pair), pair.label
    )


def _streak_table(pair: TablePair) -> DataTable:
    headings = ("When", "Super Streak", "Results", "Which")
    return _plain_rows_table(
        f"Pay table {pair.label}: Super Streak", headings, changed_streak_rows(pair), f"streak-{pair.label}"
    )


def _plain_rows_table(caption: str, headings: tuple[str, ...], rows: list[list[str]], name: str) -> DataTable:
    columns = [
        Column(heading, itemgetter(at), is_row_heading=at == 0, is_figure=heading == "Results")
        for at, heading in enumerate(headings)
    ]
    return DataTable(
        caption=caption, columns=columns, rows=rows, page_size=tables.ALL_ROWS, name=name.replace(" → ", "-")
    )


@readers_only
@require_safe
def truth_table_page(request: CasinoRequest, casino: str, rules: str, number: int) -> ListResponse:
    """Every bet at every result, paginated."""
    found = access_version(request.user, request.casino, rules, number)
    pay_tables = tuple(found.truth_sha256)
    form = TruthTableFilter(request.GET, tables=pay_tables, bets=_bet_choices(found))
    chosen = form.valid_values()
    pay_table, bet = chosen["table"] or pay_tables[0], chosen["bet"]
    rows = [row for row in _truth_table_cells(rules_of(found, pay_table)) if not bet or row[0] == bet]
    context = {
        "version": found,
        "panel": FilterPanel(form, legend="Choose pay table and bet"),
        "table": DataTable(
            caption=f"Pay table {pay_table}",
            columns=(
                Column("Bet", lambda row: row[0], is_row_heading=True),
                Column("Result", lambda row: row[1]),
                Column("Pays", lambda row: row[2]),
            ),
            rows=rows,
            query=request.GET,
            page_size=216,
        ),
    }
    return list_response(request, "rulebook/truth.html", context)


def _bet_choices(found: RuleVersion) -> tuple[str, ...]:
    approved = {code for table in found.truth_sha256 for code in rules_of(found, table).bets}
    return tuple(code for code in BET_CODES if code in approved)


def _truth_table_cells(rules: Rules) -> Iterator[tuple[str, str, str]]:
    """Yields (bet, result, what it pays); Super Streak rows have no result."""
    for row in odds.truth_table_rows(rules):
        bet, result, pays = row.split(" ", 2)
        yield (bet, "", f"{result} {pays}") if bet == "streak" else (bet, result, pays)


@readers_only
@require_safe
def truth_table_csv(request: CasinoRequest, casino: str, rules: str, number: int) -> StreamingHttpResponse:
    """Every bet at every result of all pay tables."""
    found = access_version(request.user, request.casino, rules, number)

    def rows() -> Iterator[tuple[str, str, str, str]]:
        for pay_table in found.truth_sha256:
            yield from ((pay_table, *cells) for cells in _truth_table_cells(rules_of(found, pay_table)))

    table = DataTable(
        caption=f"Truth table of {found.reference}",
        columns=[Column(name, itemgetter(at)) for at, name in enumerate(("pay_table", "bet", "result", "pays"))],
        rows=(),
        query=request.GET,
        whole=AllRows(rows, lambda: sum(1 for _ in rows())),
    )
    return export_response(request, table, "csv")


@readers_only
@require_safe
def download_document(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    return attachment_response(access_version(request.user, request.casino, rules, number).source_document)


def attachment_response(source: SourceDocument) -> HttpResponse:
    """The document as uploaded, as a download. Never inline, so that uploaded content cannot run in our origin."""
    response = HttpResponse(bytes(source.content), content_type=MEDIA_TYPES.get(source.media_type, source.media_type))
    response["Content-Disposition"] = content_disposition_header(True, source.file_name) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    return response
