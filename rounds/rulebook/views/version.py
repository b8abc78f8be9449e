"""One version: what it says, how it differs from the one before, its whole truth table, and its source document."""

import csv
from collections.abc import Iterator
from operator import itemgetter

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import User
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.roles import Role
from compliance.web.components import Column, FilterPanel, Table
from rounds.engine.bets import BET_CODES
from rounds.engine.rules import Rules
from rounds.engine.truth import truth_rows
from rounds.rulebook import tables
from rounds.rulebook.comparing import Comparison, TablePair, cell_rows, compare, streak_rows
from rounds.rulebook.forms import TruthFilter
from rounds.rulebook.models import RuleVersion, SourceDocument
from rounds.rulebook.selectors import MAY_APPROVE, MAY_PROPOSE, access_version, pack_of, rules_of, version_before
from rounds.rulebook.shelves import NamedRules
from rounds.rulebook.states import State
from rounds.rulebook.views.home import readers

MEDIA_TYPES = {"text/plain": "text/plain; charset=utf-8"}


@readers
@never_cache
@require_safe
def version(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    found = access_version(request.user, request.casino, rules, number)
    now = timezone.now()
    pack = pack_of(found)
    context = {
        "casino": request.casino,
        "version": found,
        "pack": pack,
        "facts": tables.facts(found, found.state(now)),
        "history": tables.history(found),
        "wager_tables": tables.wager_tables(found),
        "readings": tables.readings_table(found),
        "other_edges": tables.other_edges(found),
        "roles": tables.roles_table(found),
        "clauses": tables.clauses_table(found),
        "before": version_before(found),
        **_open_acts(request.user, found, found.state(now)),
    }
    return render(request, "rulebook/version.html", context)


def _open_acts(user: User, found: RuleVersion, state: State) -> dict[str, bool]:
    """The buttons this person gets; the services decide again."""
    is_government = user.holds(*MAY_APPROVE, casino=found.casino)
    is_waiting = state is State.PROPOSED
    return {
        "may_approve": is_waiting and is_government and found.proposed_by != user,
        "is_own_proposal": is_waiting and is_government and found.proposed_by == user,
        "may_withdraw": (is_waiting and found.proposed_by == user)
        or (is_government and state in (State.PROPOSED, State.APPROVED)),
        "may_propose": user.holds(*MAY_PROPOSE, casino=found.casino),
        "may_rule": state in (State.APPROVED, State.IN_FORCE) and user.holds(Role.INSPECTOR, casino=found.casino),
        "may_try": state is not State.WITHDRAWN and user.holds(Role.AUTHORITY_OFFICER, casino=found.casino),
        "is_published": found.approved_at is not None and state is not State.WITHDRAWN,
    }


@readers
@never_cache
@require_safe
def diff(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    found = access_version(request.user, request.casino, rules, number)
    before = version_before(found)
    comparison = comparison_of(before, found) if before else None
    context = {
        "casino": request.casino,
        "version": found,
        "before": before,
        "is_same": comparison is not None and comparison.is_same,
        "tables": list(diff_tables(comparison)) if comparison else [],
        "lost": [pair.before for pair in comparison.pairs if pair.after is None] if comparison else [],
        "new": [pair.after for pair in comparison.pairs if pair.before is None] if comparison else [],
    }
    return render(request, "rulebook/diff.html", context)


def comparison_of(before: RuleVersion, after: RuleVersion) -> Comparison:
    old, new = (NamedRules(pack_of(each), None, dict(each.readings)) for each in (before, after))
    return compare(old, new)


def diff_tables(comparison: Comparison) -> Iterator[Table]:
    for pair in comparison.pairs:
        if pair.cells:
            yield _cells_table(pair)
        if pair.streak_rows:
            yield _streak_table(pair)
    if comparison.terms:
        yield Table(
            caption="Terms that no truth table shows",
            columns=(
                Column("Term", "key", is_row_heading=True),
                Column("Before", "before"),
                Column("After", "after"),
            ),
            rows=comparison.terms,
            page_size=tables.EVERY_ROW,
            name="terms",
        )


def _cells_table(pair: TablePair) -> Table:
    headings = ("Bet", "Before", "After", "Results", "Which")
    return _rows_table(f"Pay table {pair.label}: results that pay otherwise", headings, cell_rows(pair), pair.label)


def _streak_table(pair: TablePair) -> Table:
    headings = ("When", "Super Streak", "Results", "Which")
    return _rows_table(f"Pay table {pair.label}: Super Streak", headings, streak_rows(pair), f"streak-{pair.label}")


def _rows_table(caption: str, headings: tuple[str, ...], rows: list[list[str]], name: str) -> Table:
    columns = [
        Column(heading, itemgetter(at), is_row_heading=at == 0, is_figure=heading == "Results")
        for at, heading in enumerate(headings)
    ]
    return Table(caption=caption, columns=columns, rows=rows, page_size=tables.EVERY_ROW, name=name.replace(" → ", "-"))


@readers
@require_safe
def truth(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    """Every bet at every result, a page at a time."""
    found = access_version(request.user, request.casino, rules, number)
    pay_tables = tuple(found.truth_sha256)
    form = TruthFilter(request.GET, tables=pay_tables, bets=_bets(found))
    chosen = form.chosen()
    pay_table, bet = chosen["table"] or pay_tables[0], chosen["bet"]
    rows = [row for row in _truth(rules_of(found, pay_table)) if not bet or row[0] == bet]
    context = {
        "casino": request.casino,
        "version": found,
        "panel": FilterPanel(form, legend="Choose pay table and bet"),
        "table": Table(
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
    return render(request, "rulebook/truth.html", context)


def _bets(found: RuleVersion) -> tuple[str, ...]:
    approved = {code for table in found.truth_sha256 for code in rules_of(found, table).bets}
    return tuple(code for code in BET_CODES if code in approved)


def _truth(rules: Rules) -> Iterator[tuple[str, str, str]]:
    """(bet, result, what it pays); the rows on Super Streak name no single result."""
    for row in truth_rows(rules):
        bet, result, pays = row.split(" ", 2)
        yield (bet, "", f"{result} {pays}") if bet == "streak" else (bet, result, pays)


class _Echo:
    """A file that hands back what is written to it, so that a CSV is sent as it is made."""

    def write(self, line: str) -> str:
        return line


@readers
@require_safe
def truth_csv(request: CasinoRequest, casino: str, rules: str, number: int) -> StreamingHttpResponse:
    found = access_version(request.user, request.casino, rules, number)
    writer = csv.writer(_Echo())

    def lines() -> Iterator[str]:
        yield writer.writerow(("pay_table", "bet", "result", "pays"))
        for table in found.truth_sha256:
            yield from (writer.writerow((table, *row)) for row in _truth(rules_of(found, table)))

    response = StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8")
    name = f"{found.reference.replace('/', '-')}-truth-table.csv"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


@readers
@require_safe
def document(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    return download(access_version(request.user, request.casino, rules, number).source_document)


def download(source: SourceDocument) -> HttpResponse:
    """As it was uploaded, to be saved and never to be run or shown within our pages."""
    response = HttpResponse(bytes(source.content), content_type=MEDIA_TYPES.get(source.media_type, source.media_type))
    response["Content-Disposition"] = content_disposition_header(True, source.file_name) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    return response
