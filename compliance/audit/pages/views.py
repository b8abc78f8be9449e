"""Pages of a casino's findings and coverage, for its supervisors and for inspectors."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.checks import checked_codes
from compliance.audit.checks.applicability import Applicability, CodeUnderRules, codes_by_family
from compliance.audit.context.finding_draft import explanation_text
from compliance.audit.models import ConfirmedWarning, Coverage, Finding
from compliance.audit.pages.forms import FindingsFilter
from compliance.audit.selectors import (
    MAY_READ,
    MAY_READ_SOME,
    access_finding,
    audit_gaps,
    audit_progress,
    casinos_with_findings,
    findings_of,
    reading_amounts,
    reading_impacts,
)
from compliance.core.accounts.list_registry import FilteredList, ListQuery
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.roles import ALL_ROLES
from compliance.core.web.access import require_roles
from compliance.core.web.templatetags.ui import local, money
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import access_version, pack_of, versions_of

readers_only = require_roles(*MAY_READ)
# Marketing opens the findings about its own records.
finding_readers_only = require_roles(*MAY_READ_SOME)


@readers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    """Target of the menu item: redirects to the findings where the user has only one casino."""
    counted = casinos_with_findings(request.user)
    if len(counted) == 1:
        return redirect("audit:findings", counted[0].slug)
    table = DataTable(
        caption="Findings that stand, by casino",
        columns=(
            Column("Casino", "name", is_row_heading=True, link=lambda one: casino_url("audit:findings", one)),
            Column("Serious", lambda one: f"{one.serious:,}", is_figure=True),
            Column("All", lambda one: f"{one.standing:,}", is_figure=True),
        ),
        rows=counted,
        empty="You hold no role that reads findings.",
    )
    return render(request, "audit/casinos.html", {"table": table})


FINDINGS = FilteredList(
    "audit:findings",
    lambda asked: FindingsFilter(asked.parameters, casino=asked.casino),
    lambda asked, chosen: findings_of(asked.casino, chosen).with_case_totals(),
)


@readers_only
@require_safe
def finding_list(request: CasinoRequest, casino: str) -> ListResponse:
    form, rows = FINDINGS(ListQuery.from_request(request))
    is_filtered = any(value for name, value in form.valid_values().items() if name != "state")
    table = DataTable(
        caption=f"Findings at {request.casino}",
        columns=(
            Column("Code", "code", sort="code", is_row_heading=True, link=Finding.get_absolute_url),
            Column("Severity", lambda row: Severity(row.severity).tag, sort="severity"),
            Column("What was found", "sentence", display=lambda row: row.in_local_time(row.sentence, request.casino)),
            Column("Table", lambda row: ", ".join(row.scope.tables), sort="table"),
            Column("When", "at", sort="at"),
            Column("Clause", "clause", is_in_file_only=True),
            Column("Wager", _wager_label, is_in_file_only=True),
            Column("Due", "scope.required_cents", is_money=True, is_in_file_only=True),
            Column("Handed back", "scope.found_cents", is_money=True, is_in_file_only=True),
        ),
        rows=rows,
        sort="-at",
        is_caption_hidden=True,
        empty="No finding fits this filter." if is_filtered else "Nothing was found so far.",
    )
    context = {"panel": FilterPanel(form, legend="Filter"), "table": table, "audited": audit_progress(request.casino)}
    return list_response(request, "audit/findings.html", context)


def _wager_label(finding: Finding) -> str:
    """The wager of a finding, or how many wagers a grouped one stands for; its page lists them."""
    count = finding.scope.wagers
    return finding.wager if count is None else f"{count:,} {'wager' if count == 1 else 'wagers'}"


@finding_readers_only
@require_safe
def finding_detail(request: CasinoRequest, casino: str, finding: int) -> ListResponse:
    found = access_finding(request.user, request.casino, finding)
    return list_response(request, "audit/finding.html", finding_context(request, found), lists=("cases",))


def finding_context(request: CasinoRequest, found: Finding) -> dict[str, Any]:
    """Template context of `audit/finding-body.html`, also used by the page that reviews a finding. Marketing may not
    open the ledger, so that its entries are named without links."""
    has_ledger = request.user.has_role(*MAY_READ, casino=request.casino)

    def entry_link(index: int) -> str:
        return entry_url(found.log, index) if has_ledger else ""

    return {
        "casino": request.casino,
        "finding": found,
        "has_ledger": has_ledger,
        "severity": Severity(found.severity).tag,
        "amounts": SummaryList(list(_amount_rows(found))),
        "confirmed": ConfirmedWarning.objects.about(found),
        "explanation": [found.in_local_time(text) for text in explanation_text(found.version, found.explanation)],
        "facts": SummaryList(list(_fact_rows(found, request.casino))),
        "cases": _case_table(found) if found.check_name.startswith("reading:") else None,
        "evidence": [(_evidence_label(found, index), entry_link(index)) for index in found.evidence],
        "entry": entry_link(found.entry_index),
    }


def _amount_rows(found: Finding) -> Iterator[SummaryRow]:
    if found.check_name.startswith("reading:"):
        under = reading_amounts(found)
        yield SummaryRow("Wagers", f"{under.wagers:,}")
        yield SummaryRow("Due under the adopted reading", money(under.required_cents))
        yield SummaryRow("Handed back, as under the other reading", money(under.found_cents))
        yield SummaryRow("Difference", money(under.found_cents - under.required_cents))
        return
    if found.required_cents is not None:
        yield SummaryRow("Due", money(found.required_cents))
    if found.found_cents is not None:
        yield SummaryRow("Handed back", money(found.found_cents))
    if found.required_cents is not None and found.found_cents is not None:
        yield SummaryRow("Difference", money(found.found_cents - found.required_cents))


def _fact_rows(found: Finding, casino: Casino) -> Iterator[SummaryRow]:
    version = found.version
    yield SummaryRow("What this code means", found.code_details.full_meaning)
    if found.table:
        yield SummaryRow("Table", found.table)
    if found.wager:
        yield SummaryRow("Wager", found.wager)
    yield SummaryRow("When it happened", local(found.at, casino))
    if version is not None:
        href = casino_url("rulebook:version", casino, rules=version.rules, number=version.number)
        yield SummaryRow("Rules", str(version), href, "Open")
        gist = pack_of(version).clauses.get(found.clause)
        if found.clause:
            yield SummaryRow("Clause", f"{found.clause}: {gist.gist}" if gist else found.clause)
    if found.is_silent:
        yield SummaryRow("What follows", Applicability.SILENT.tag)
    yield SummaryRow("Found", local(found.found_at, casino))


def _case_table(found: Finding) -> DataTable:
    return DataTable(
        caption="Wagers settled by this reading",
        columns=(
            Column(
                "Entry",
                "subject_index",
                sort="subject_index",
                is_row_heading=True,
                link=lambda case: entry_url(found.log, case.subject_index),
            ),
            Column("Wager", "wager"),
            Column("Table", "table", sort="table"),
            Column("When", "at", sort="at"),
            Column("Due", "required_cents", sort="required_cents", is_money=True),
            Column("Handed back", "found_cents", sort="found_cents", is_money=True),
        ),
        rows=found.cases.all(),
        empty="None of these wagers is counted any more.",
    )


def _evidence_label(found: Finding, index: int) -> str:
    if found.version is not None and index == found.version.approved_index:
        return f"Entry {index}: the approval of these rules"
    return f"Entry {index}: what was recorded" if index == found.subject_index else f"Entry {index}"


@require_roles(*ALL_ROLES)
@require_safe
def reading_impact(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    """Impact of each choice that a version does not adopt. The version's own page shows it too."""
    version = access_version(request.user, request.casino, rules, number)
    settled_by = _finding_urls_by_reading(version)
    table = DataTable(
        caption="What another choice would have changed so far",
        columns=(
            Column("Reading", "reading", is_row_heading=True),
            Column("Choice not adopted", "choice"),
            Column("Wagers it settles otherwise", lambda row: f"{row.wagers:,}", is_figure=True),
            Column("Due as adopted", "adopted_cents", is_money=True),
            Column("Due under this choice", "other_cents", is_money=True),
            Column("Difference", lambda row: row.other_cents - row.adopted_cents, is_money=True),
            Column(
                "Tables settled by it",
                lambda row: "Yes" if (row.reading, row.choice) in settled_by else "No",
                link=lambda row: settled_by.get((row.reading, row.choice), ""),
            ),
        ),
        rows=reading_impacts(version),
        empty="These rules have no ambiguous clause on which money depends.",
    )
    context = {"casino": request.casino, "version": version, "table": table, "audited": audit_progress(request.casino)}
    return render(request, "audit/readings.html", context)


def _finding_urls_by_reading(version: RuleVersion) -> dict[tuple[str, str], str]:
    """URLs of the findings about choices that tables settled by although they are not adopted."""
    rows = Finding.objects.current().filter(version=version, check_name__startswith="reading:")
    names = {row: row.check_name.removeprefix("reading:").partition("=") for row in rows}
    return {(reading, choice): row.get_absolute_url() for row, (reading, _, choice) in names.items()}


@readers_only
@require_safe
def coverage_page(request: CasinoRequest, casino: str) -> ListResponse:
    gaps = list(audit_gaps(request.casino.slug))
    context = {
        "audited": audit_progress(request.casino),
        "checked": len(checked_codes()),
        "versions": versions_of(request.casino).approved(),
        "gaps": DataTable(
            caption="Entries that wait to be audited",
            columns=(
                Column("Entries", lambda gap: f"{gap.first:,} to {gap.last - 1:,}", is_row_heading=True),
                Column("How many", lambda gap: f"{gap.last - gap.first:,}", is_figure=True),
                Column("Why", lambda gap: gap.why or "New."),
            ),
            rows=gaps,
            name="gaps",
            is_caption_hidden=True,
            empty="None: everything recorded so far was audited.",
        ),
        "ranges": _coverage_table(request),
    }
    return list_response(request, "audit/coverage.html", context, lists=("gaps", "ranges"))


@readers_only
@require_safe
def version_checks(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    """Each finding code under one rule version: its clauses, or that the document is silent."""
    version = access_version(request.user, request.casino, rules, number)
    families = list(codes_by_family(pack_of(version)))
    bearings = [one.bearing for _, codes in families for one in codes]
    context = {
        "casino": request.casino,
        "version": version,
        "families": [_family_table(name, codes) for name, codes in families],
        "tags": {bearing.name: bearing.tag for bearing in Applicability},
        "checked": bearings.count(Applicability.APPLIES),
        "silent": bearings.count(Applicability.SILENT),
    }
    return render(request, "audit/checks.html", context)


def _family_table(family: str, codes: list[CodeUnderRules]) -> DataTable:
    return DataTable(
        caption=family,
        columns=(
            Column("Code", lambda one: one.code.name, is_row_heading=True),
            Column("What it is about", lambda one: one.code.full_meaning),
            Column("Under this version", lambda one: one.bearing.tag),
            Column("Clauses", "cited"),
        ),
        rows=codes,
        name=f"family-{family.lower().replace(' ', '-')}",
        is_caption_hidden=True,
    )


def _coverage_table(request: CasinoRequest) -> DataTable:
    return DataTable(
        caption="What was audited",
        columns=(
            Column(
                "Entries",
                lambda row: f"{row.first:,} to {row.last - 1:,}",
                sort="first",
                is_row_heading=True,
                link=lambda row: entry_url(row.log, row.entry_index),
            ),
            Column("Pass", "generation", is_figure=True),
            Column("Rules", _rules_label),
            Column("Rounds", lambda row: f"{row.rounds:,}", is_figure=True),
            Column("Wagers", lambda row: f"{row.wagers:,}", is_figure=True),
            Column("Findings", lambda row: f"{row.findings:,}", sort="findings", is_figure=True),
            Column("Audited", "audited_at", sort="audited_at"),
        ),
        rows=Coverage.objects.filter(log=request.casino.slug),
        sort="-audited_at",
        is_caption_hidden=True,
        empty="Nothing was audited yet.",
    )


def _rules_label(row: Coverage) -> str:
    return ", ".join(f"{used['rules']}, version {used['number']}" for used in row.versions) or "None needed"
