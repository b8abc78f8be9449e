"""Checklists and samples of a casino; beginning a checklist, reading it, signing it off, superseding it."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.checklists.answers import Basis, Verdict
from compliance.checklists.forms import ChecklistForm, ClauseFilter, SignChecklistForm
from compliance.checklists.models import Checklist, Sample
from compliance.checklists.selectors import (
    MAY_INSPECT,
    ClauseRow,
    access_checklist,
    checklists_of,
    rows_of,
    samples_of,
    unanswered,
)
from compliance.checklists.services import begin_checklist, sign_off_checklist
from compliance.checklists.views.places import address_of, inspectors, period_words
from compliance.web.components import Column, FilterPanel, SummaryList, SummaryRow, Table, Tag
from compliance.web.errors import NotFound, Refusal
from compliance.web.templatetags.kit import local
from rounds.rulebook.selectors import pack_of


@inspectors
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_INSPECT, lambda casino: address_of("checklists", casino),
        title="Samples and checklists", caption="Casinos that you inspect",
    )  # fmt: skip


@inspectors
@never_cache
@require_safe
def checklists(request: CasinoRequest, casino: str) -> HttpResponse:
    place = request.casino
    table = Table(
        caption="Checklists, newest first",
        columns=(
            Column(
                "Checklist", lambda row: f"{row.entry_index:,}", sort="entry_index", is_row_heading=True,
                link=lambda row: address_of("checklist", place, checklist=row.entry_index),
            ),
            Column("Rules", lambda row: f"{row.version.title}, version {row.version.number}", sort="version__title"),
            Column("Time", lambda row: period_words(row.since, row.until, place), sort="since"),
            Column("Answered", lambda row: f"{row.answered:,} of {len(pack_of(row.version).clauses):,}"),
            Column("State", "tag"),
            Column("Begun by", "begun_by_name", sort="begun_by_name"),
        ),
        rows=checklists_of(place),
        query=request.GET,
        sort="-entry_index",
        name="checklists",
        is_caption_hidden=True,
        empty="No checklist was begun yet.",
    )  # fmt: skip
    context = {"casino": place, "table": table, "samples": _samples(request)}
    return render(request, "checklists/checklists.html", context)


def _samples(request: CasinoRequest) -> Table:
    def progress(row: Sample) -> Tag:
        if not hasattr(row, "draw"):
            has_failed = row.has_failed  # type: ignore[attr-defined]
            return Tag("Could not be drawn", "danger") if has_failed else Tag("Not drawn yet", "warning")
        looked_at, drawn = row.looked_at, len(row.draw.rounds)  # type: ignore[attr-defined]
        return Tag(f"{looked_at:,} of {drawn:,} looked at", "success" if looked_at == drawn else "info")

    return Table(
        caption="Samples, newest first",
        columns=(
            Column(
                "Sample", lambda row: f"{row.entry_index:,}", sort="entry_index", is_row_heading=True,
                link=lambda row: address_of("sample", request.casino, sample=row.entry_index),
            ),
            Column("What for", "purpose", sort="purpose"),
            Column("Time", lambda row: period_words(row.since, row.until, request.casino), sort="since"),
            Column("State", progress),
            Column("By", "seeded_by_name", sort="seeded_by_name"),
        ),
        rows=samples_of(request.casino),
        query=request.GET,
        sort="-entry_index",
        name="samples",
        is_caption_hidden=True,
        empty="No sample was drawn yet.",
    )  # fmt: skip


@inspectors
@never_cache
@asks_first
def new(request: CasinoRequest, casino: str) -> HttpResponse:
    form = ChecklistForm(posted(request), casino=request.casino)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        begun = begin_checklist(
            casino=request.casino, version=form.versions[typed["version"]], since=typed["since"],
            until=typed["until"], actor=request.user, now=timezone.now(),
        )  # fmt: skip
        return redirect(address_of("checklist", request.casino, checklist=begun.entry_index))
    return render(request, "checklists/new.html", {"casino": request.casino, "form": form})


@inspectors
@never_cache
@require_safe
def checklist(request: CasinoRequest, casino: str, checklist: int) -> HttpResponse:
    it = access_checklist(request.user, request.casino, checklist)
    rows = rows_of(it)
    missing = unanswered(rows)
    form = ClauseFilter(request.GET)
    panel = FilterPanel(form, legend="Filter")
    table = Table(
        caption="Clauses",
        columns=(
            Column(
                "Clause", "said.clause", is_row_heading=True,
                link=lambda row: address_of("clause", request.casino, checklist=it.entry_index, place=row.said.place),
            ),
            Column("What it says", "said.entry.gist"),
            Column("The audit", lambda row: row.said.tag),
            Column("Answer", lambda row: Verdict(row.answer.verdict).tag if row.answer else ""),
            Column("Rests on", lambda row: Basis(row.answer.basis).label if row.answer else ""),
        ),
        rows=[row for row in rows if _fits(row, form.chosen())],
        query=request.GET,
        is_caption_hidden=True,
        empty="No clause fits this filter.",
    )  # fmt: skip
    context = {
        "casino": request.casino,
        "checklist": it,
        "summary": SummaryList(_facts(it, rows)),
        "panel": panel,
        "table": table,
        "answered": len(rows) - len(missing),
        "clauses": len(rows),
        "first_missing": missing[0].said.place if missing else None,
        "paper": _paper(it) if it.is_signed else "",
        "successor": getattr(it, "successor", None),
    }
    return render(request, "checklists/checklist.html", context)


def _fits(row: ClauseRow, chosen: dict[str, str]) -> bool:
    wanted = chosen["answer"]
    if wanted and wanted != (row.answer.verdict if row.answer else "none"):
        return False
    said = row.said
    tests = {
        "": True,
        "found": said.cited > 0,
        "checked": said.is_checked,
        "silent": said.is_silent,
        "not": not said.codes,
    }
    return tests[chosen["audit"] or ""]


def _facts(it: Checklist, rows: list[ClauseRow]) -> list[SummaryRow]:
    facts: list[SummaryRow] = [
        SummaryRow("Rules", f"{it.version.title}, version {it.version.number}", it.version.get_absolute_url(), "Open"),
        SummaryRow("Time", period_words(it.since, it.until, it.casino)),
        SummaryRow("State", it.tag),
        SummaryRow("Begun", _by(local(it.begun_at, it.casino), it.begun_by_name)),
    ]
    for verdict in Verdict:
        number = sum(row.answer is not None and row.answer.verdict == verdict for row in rows)
        facts.append(SummaryRow(verdict.label, f"{number:,}"))
    if it.supersedes is not None:
        href = address_of("checklist", it.casino, checklist=it.supersedes.entry_index)
        facts.append(SummaryRow("Supersedes", str(it.supersedes), href, "Open"))
    if it.is_signed:
        signed = it.sign_off
        facts += [
            SummaryRow("Signed off", _by(local(signed.signed_at, it.casino), signed.signed_by_name)),
            SummaryRow("Conclusion", signed.conclusion),
            SummaryRow("Recorded as", f"Entry {signed.entry_index:,}", _entry(it.casino, signed.entry_index), "Open"),
        ]
    return facts


def _by(moment: str, name: str) -> Any:
    return format_html("{} by {}", moment, name)


def _entry(casino: Casino, index: int) -> str:
    return reverse("evidence:entry", kwargs={"casino": casino.slug, "index": index})


def _paper(it: Checklist) -> str:
    """Where a report of it is asked for. Reports lie above: a link where they are there."""
    try:
        return reverse("reports:new", kwargs={"casino": it.casino.slug, "kind": "checklist"}) + (
            f"?checklist={it.entry_index}"
        )
    except NoReverseMatch:
        return ""


@inspectors
@never_cache
@asks_first
def sign_off(request: CasinoRequest, casino: str, checklist: int) -> HttpResponse:
    it = access_checklist(request.user, request.casino, checklist)
    if it.is_signed:
        raise NotFound
    form = SignChecklistForm(posted(request), request=request)
    act = Act(
        f"Sign off {str(it).lower()}",
        (
            "Each answer becomes an entry of the ledger, and yours is the last one, which signs them all.",
            "Nothing in it can be changed afterwards. Whoever wants it otherwise begins a new one.",
            "The operator can read the signed checklist, with your comments.",
        ),
        "Sign off", address_of("checklist", request.casino, checklist=it.entry_index), str(it),
        "The checklist is signed off.",
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: sign_off_checklist(
            checklist=it, conclusion=form.cleaned_data["conclusion"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@inspectors
@never_cache
@asks_first
def supersede(request: CasinoRequest, casino: str, checklist: int) -> HttpResponse:
    it = access_checklist(request.user, request.casino, checklist)
    if request.method != "POST":
        return render(request, "checklists/supersede.html", {"casino": request.casino, "checklist": it})
    try:
        begun = begin_checklist(
            casino=request.casino, version=it.version, since=it.since, until=it.until, supersedes=it,
            actor=request.user, now=timezone.now(),
        )  # fmt: skip
    except Refusal as refusal:
        messages.error(request, refusal.words)
        return redirect(address_of("checklist", request.casino, checklist=it.entry_index))
    messages.success(request, "The answers were taken over. Change what is to be changed, then sign it off.")
    return redirect(address_of("checklist", request.casino, checklist=begun.entry_index))
