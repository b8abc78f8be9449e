"""Findings and coverage of a casino, for those who answer for its tables and those who inspect them."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.roles import EVERY_ROLE
from compliance.audit.checks import checked_codes
from compliance.audit.codes import Severity
from compliance.audit.forms import FindingsFilter
from compliance.audit.models import Coverage, Finding
from compliance.audit.selectors import (
    MAY_READ,
    access_finding,
    audited,
    casinos_with_findings,
    findings_of,
    gaps_of,
    hangs_on_readings,
    money_under_readings,
)
from compliance.audit.silence import Bearing, Ruled, ruled_by_family
from compliance.web.access import held_by
from compliance.web.components import Column, FilterPanel, SummaryList, SummaryRow, Table
from compliance.web.templatetags.kit import local, money
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import access_version, pack_of, versions_of

readers = held_by(*MAY_READ)


@readers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    """The menu's way in: straight to the findings, unless there are several casinos to choose from."""
    counted = casinos_with_findings(request.user)
    if len(counted) == 1:
        return redirect("audit:findings", counted[0].slug)
    table = Table(
        caption="Findings that stand, by casino",
        columns=(
            Column("Casino", "name", is_row_heading=True, link=lambda one: reverse("audit:findings", args=[one.slug])),
            Column("Serious", lambda one: f"{one.serious:,}", is_figure=True),
            Column("All", lambda one: f"{one.standing:,}", is_figure=True),
        ),
        rows=counted,
        empty="You hold no role that reads findings.",
    )
    return render(request, "audit/casinos.html", {"table": table})


@readers
@require_safe
def findings(request: CasinoRequest, casino: str) -> HttpResponse:
    form = FindingsFilter(request.GET, casino=request.casino)
    chosen = form.chosen()
    is_filtered = any(value for name, value in chosen.items() if name != "state")
    table = Table(
        caption=f"Findings at {request.casino}",
        columns=_columns(request.casino),
        rows=findings_of(request.casino, chosen),
        query=request.GET,
        sort="-at",
        is_caption_hidden=True,
        empty="No finding fits this filter." if is_filtered else "Nothing was found so far.",
    )
    context = {
        "casino": request.casino,
        "panel": FilterPanel(form, legend="Filter"),
        "table": table,
        "audited": audited(request.casino),
    }
    return render(request, "audit/findings.html", context)


def _columns(casino: Casino) -> tuple[Column, ...]:
    return (
        Column("Code", "code", sort="code", is_row_heading=True, link=Finding.get_absolute_url),
        Column("Severity", lambda row: Severity(row.severity).tag, sort="severity"),
        Column("What was found", "sentence"),
        Column("Table", "table", sort="table"),
        Column("When", lambda row: local(row.at, casino), sort="at"),
    )


@readers
@require_safe
def finding(request: CasinoRequest, casino: str, finding: int) -> HttpResponse:
    found = access_finding(request.user, request.casino, finding)
    return render(request, "audit/finding.html", told(request, found))


def told(request: CasinoRequest, found: Finding) -> dict[str, Any]:
    """What `audit/finding-body.html` shows: here, and on the page where a finding is reviewed."""
    return {
        "casino": request.casino,
        "finding": found,
        "severity": Severity(found.severity).tag,
        "amounts": SummaryList(list(_amounts(found))),
        "facts": SummaryList(list(_facts(found, request.casino))),
        "cases": _cases(request, found) if found.check_name.startswith("reading:") else None,
        "evidence": [(_evidence_words(found, index), _entry(found.log, index)) for index in found.evidence],
        "entry": _entry(found.log, found.entry_index),
    }


def _amounts(found: Finding) -> Iterator[SummaryRow]:
    if found.check_name.startswith("reading:"):
        under = money_under_readings(found)
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


def _facts(found: Finding, casino: Casino) -> Iterator[SummaryRow]:
    version = found.version
    yield SummaryRow("What this code means", found.kind.meaning)
    if found.table:
        yield SummaryRow("Table", found.table)
    if found.wager:
        yield SummaryRow("Wager", found.wager)
    yield SummaryRow("When it happened", local(found.at, casino))
    if version is not None:
        href = _address("rulebook:version", casino=casino.slug, rules=version.rules, number=version.number)
        yield SummaryRow("Rules", str(version), href, "Open")
        gist = pack_of(version).clauses.get(found.clause)
        if found.clause:
            yield SummaryRow("Clause", f"{found.clause}: {gist.gist}" if gist else found.clause)
    if found.is_silent:
        yield SummaryRow("What follows", Bearing.SILENT.tag)
    yield SummaryRow("Found", local(found.found_at, casino))


def _cases(request: CasinoRequest, found: Finding) -> Table:
    return Table(
        caption="Wagers settled by this reading",
        columns=(
            Column(
                "Entry", "subject_index", sort="subject_index", is_row_heading=True,
                link=lambda case: _entry(found.log, case.subject_index),
            ),
            Column("Wager", "wager"),
            Column("Table", "table", sort="table"),
            Column("When", lambda case: local(case.at, request.casino), sort="at"),
            Column("Due", lambda case: money(case.required_cents), sort="required_cents", is_figure=True),
            Column("Handed back", lambda case: money(case.found_cents), sort="found_cents", is_figure=True),
        ),
        rows=found.cases.all(),
        query=request.GET,
        empty="None of these wagers is counted any more.",
    )  # fmt: skip


def _evidence_words(found: Finding, index: int) -> str:
    if found.version is not None and index == found.version.approved_index:
        return f"Entry {index}: the approval of these rules"
    return f"Entry {index}: what was recorded" if index == found.subject_index else f"Entry {index}"


def _entry(log: str, index: int) -> str:
    return _address("evidence:entry", casino=log, index=index)


def _address(name: str, **parts: Any) -> str:
    """Pages of apps that lie above this one: a link where they are there, plain text otherwise."""
    try:
        return reverse(name, kwargs=parts)
    except NoReverseMatch:
        return ""


@held_by(*EVERY_ROLE)
@require_safe
def readings(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    """What hangs on each choice that a version does not adopt; the version's own page shows it too."""
    version = access_version(request.user, request.casino, rules, number)
    settled_by = _settled_by(version)
    table = Table(
        caption="What another choice would have changed so far",
        columns=(
            Column("Reading", "reading", is_row_heading=True),
            Column("Choice not adopted", "choice"),
            Column("Wagers it settles otherwise", lambda row: f"{row.wagers:,}", is_figure=True),
            Column("Due as adopted", lambda row: money(row.adopted_cents), is_figure=True),
            Column("Due under this choice", lambda row: money(row.other_cents), is_figure=True),
            Column("Difference", lambda row: money(row.other_cents - row.adopted_cents), is_figure=True),
            Column(
                "Tables settled by it", lambda row: "Yes" if (row.reading, row.choice) in settled_by else "No",
                link=lambda row: settled_by.get((row.reading, row.choice), ""),
            ),
        ),
        rows=hangs_on_readings(version),
        empty="These rules have no ambiguous clause on which money depends.",
    )  # fmt: skip
    context = {"casino": request.casino, "version": version, "table": table, "audited": audited(request.casino)}
    return render(request, "audit/readings.html", context)


def _settled_by(version: RuleVersion) -> dict[tuple[str, str], str]:
    """Addresses of the findings about choices that tables settled by although they are not adopted."""
    rows = Finding.objects.standing().filter(version=version, check_name__startswith="reading:")
    names = {row: row.check_name.removeprefix("reading:").partition("=") for row in rows}
    return {(reading, choice): row.get_absolute_url() for row, (reading, _, choice) in names.items()}


@readers
@require_safe
def coverage(request: CasinoRequest, casino: str) -> HttpResponse:
    gaps = list(gaps_of(request.casino.slug))
    context = {
        "casino": request.casino,
        "audited": audited(request.casino),
        "checked": len(checked_codes()),
        "versions": versions_of(request.casino).approved(),
        "gaps": Table(
            caption="Entries that wait to be audited",
            columns=(
                Column("Entries", lambda gap: f"{gap.first:,} to {gap.last - 1:,}", is_row_heading=True),
                Column("How many", lambda gap: f"{gap.last - gap.first:,}", is_figure=True),
                Column("Why", lambda gap: gap.why or "New."),
            ),
            rows=gaps,
            query=request.GET,
            name="gaps",
            is_caption_hidden=True,
            empty="None: everything recorded so far was audited.",
        ),
        "ranges": _ranges(request),
    }
    return render(request, "audit/coverage.html", context)


@readers
@require_safe
def checks(request: CasinoRequest, casino: str, rules: str, number: int) -> HttpResponse:
    """Each code under one rule version: its clauses, or that the document is silent."""
    version = access_version(request.user, request.casino, rules, number)
    families = list(ruled_by_family(pack_of(version)))
    bearings = [one.bearing for _, codes in families for one in codes]
    context = {
        "casino": request.casino,
        "version": version,
        "families": [_ruled(name, codes) for name, codes in families],
        "tags": {bearing.name: bearing.tag for bearing in Bearing},
        "checked": bearings.count(Bearing.APPLIES),
        "silent": bearings.count(Bearing.SILENT),
    }
    return render(request, "audit/checks.html", context)


def _ruled(family: str, codes: list[Ruled]) -> Table:
    return Table(
        caption=family,
        columns=(
            Column("Code", lambda one: one.code.name, is_row_heading=True),
            Column("What it is about", lambda one: one.code.meaning),
            Column("Under this version", lambda one: one.bearing.tag),
            Column("Clauses", "cited"),
        ),
        rows=codes,
        name=f"family-{family.lower().replace(' ', '-')}",
        is_caption_hidden=True,
    )


def _ranges(request: CasinoRequest) -> Table:
    return Table(
        caption="What was audited",
        columns=(
            Column(
                "Entries", lambda row: f"{row.first:,} to {row.last - 1:,}", sort="first", is_row_heading=True,
                link=lambda row: _entry(row.log, row.entry_index),
            ),
            Column("Pass", "generation", is_figure=True),
            Column("Rules", _rules),
            Column("Rounds", lambda row: f"{row.rounds:,}", is_figure=True),
            Column("Wagers", lambda row: f"{row.wagers:,}", is_figure=True),
            Column("Findings", lambda row: f"{row.findings:,}", sort="findings", is_figure=True),
            Column("Audited", lambda row: local(row.audited_at, request.casino), sort="audited_at"),
        ),
        rows=Coverage.objects.filter(log=request.casino.slug),
        query=request.GET,
        sort="-audited_at",
        is_caption_hidden=True,
        empty="Nothing was audited yet.",
    )  # fmt: skip


def _rules(row: Coverage) -> str:
    return ", ".join(f"{used['rules']}, version {used['number']}" for used in row.versions) or "None needed"
