"""Lists of checklists and samples; pages to begin, read, sign off and supersede a checklist."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.corrections.list_marks import CorrectionMarks, Parts, no_entry
from compliance.core.corrections.selectors import RecordLine, record_lines, recorded_indexes
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, FilterPanel, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.forms import ChecklistForm, ClauseFilter, SignChecklistForm
from compliance.inspection.checklists.models import Checklist, ClauseAnswer, DrawJob, RoundCheck, Sample, SignOff
from compliance.inspection.checklists.selectors import (
    MAY_INSPECT,
    ClauseRow,
    access_checklist,
    checklists_of,
    load_clause_rows,
    samples_of,
    unanswered_rows,
    unchecked_rows,
)
from compliance.inspection.checklists.services import begin_checklist, sign_off_checklist
from compliance.inspection.checklists.views.common import format_time_range, inspectors_only
from rounds.ledger import is_taken_back
from rounds.rulebook.selectors import pack_of


@inspectors_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_INSPECT,
        lambda casino: casino_url("checklists:checklists", casino),
        title="Samples and checklists",
        caption="Casinos that you inspect",
    )


@inspectors_only
@require_safe
def checklists(request: CasinoRequest, casino: str) -> ListResponse:
    place = request.casino
    parts = [Parts(model.recorded.all(), "checklist_id") for model in (SignOff, ClauseAnswer)]
    marks = CorrectionMarks(place, parts, own=no_entry)
    table = DataTable(
        caption="Checklists, newest first",
        columns=(
            Column(
                "Checklist",
                lambda row: f"{row.entry_index:,}",
                sort="entry_index",
                is_row_heading=True,
                link=lambda row: casino_url("checklists:checklist", place, checklist=row.entry_index),
            ),
            Column("Rules", lambda row: str(row.version), sort="version__title"),
            Column("Time", lambda row: format_time_range(row.since, row.until, place), sort="since"),
            Column("Answered", lambda row: f"{row.answered:,} of {len(pack_of(row.version).clauses):,}"),
            Column("State", "tag"),
            Column("Begun by", "begun_by_name", sort="begun_by_name"),
            marks.column,
        ),
        rows=checklists_of(place),
        prepare=marks.read,
        sort="-entry_index",
        name="checklists",
        is_caption_hidden=True,
        empty="No checklist was begun yet.",
    )
    context = {"table": table, "samples": _samples_table(request)}
    return list_response(request, "checklists/checklists.html", context, lists=("table", "samples"))


def _samples_table(request: CasinoRequest) -> DataTable:
    def progress(row: Sample) -> Tag:
        if not hasattr(row, "draw"):
            state = row.draw_state  # type: ignore[attr-defined]
            return DrawJob(state=state).tag if state else Tag("Not drawn yet", "warning")
        looked_at, drawn = row.looked_at, len(row.draw.rounds)  # type: ignore[attr-defined]
        return Tag(f"{looked_at:,} of {drawn:,} looked at", "success" if looked_at == drawn else "info")

    checks = Parts(RoundCheck.recorded.all(), "sampled__sample_id")
    marks = CorrectionMarks(request.casino, [checks], own=no_entry)
    return DataTable(
        caption="Samples, newest first",
        columns=(
            Column(
                "Sample",
                lambda row: f"{row.entry_index:,}",
                sort="entry_index",
                is_row_heading=True,
                link=lambda row: casino_url("checklists:sample", request.casino, sample=row.entry_index),
            ),
            Column("What for", "purpose", sort="purpose"),
            Column("Time", lambda row: format_time_range(row.since, row.until, request.casino), sort="since"),
            Column("State", progress),
            Column("By", "seeded_by_name", sort="seeded_by_name"),
            marks.column,
        ),
        rows=samples_of(request.casino),
        prepare=marks.read,
        sort="-entry_index",
        name="samples",
        is_caption_hidden=True,
        empty="No sample was drawn yet.",
    )


@inspectors_only
@allow_get_post
def new_checklist(request: CasinoRequest, casino: str) -> HttpResponse:
    form = ChecklistForm(bound_data(request), casino=request.casino)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        begun = begin_checklist(
            casino=request.casino,
            version=form.versions[typed["version"]],
            since=typed["since"],
            until=typed["until"],
            actor=request.user,
            now=timezone.now(),
        )
        return redirect(casino_url("checklists:checklist", request.casino, checklist=begun.entry_index))
    return render(request, "checklists/new.html", {"casino": request.casino, "form": form})


@inspectors_only
@require_safe
def checklist(request: CasinoRequest, casino: str, checklist: int) -> ListResponse:
    it = access_checklist(request.user, request.casino, checklist)
    rows = load_clause_rows(it)
    missing = unanswered_rows(rows)
    form = ClauseFilter(request.GET)
    panel = FilterPanel(form, legend="Filter")
    table = DataTable(
        caption="Clauses",
        columns=(
            _clause_column(it),
            Column("What it says", "said.entry.gist"),
            Column("The audit", lambda row: row.said.tag),
            *_answer_columns(),
        ),
        rows=[row for row in rows if _matches_filter(row, form.valid_values())],
        is_caption_hidden=True,
        empty="No clause fits this filter.",
    )
    report = casino_url("reports:new", it.casino, kind="checklist") + f"?checklist={it.entry_index}"
    context = {
        "checklist": it,
        "summary": SummaryList(_summary_rows(it, rows)),
        "panel": panel,
        "table": table,
        "answered": len(rows) - len(missing),
        "clauses": len(rows),
        "unchecked": len(unchecked_rows(rows)),
        "first_missing": missing[0].said.place if missing else None,
        "paper": report if it.is_signed else "",
        "successor": getattr(it, "successor", None),
        "corrections": _record_lines(request, it),
    }
    return list_response(request, "checklists/checklist.html", context)


def _record_lines(request: CasinoRequest, checklist: Checklist) -> list[RecordLine]:
    """The sign-off, and the answers that were withdrawn. A single answer is withdrawn from the page of its clause."""
    answers = ClauseAnswer.recorded.filter(is_taken_back(), checklist=checklist)
    own = recorded_indexes(SignOff.recorded.filter(checklist=checklist), answers)
    return record_lines(request.user, request.casino, own)


def _matches_filter(row: ClauseRow, chosen: dict[str, str]) -> bool:
    answer = chosen["answer"]
    if answer and answer != (row.answer.verdict if row.answer else "none"):
        return False
    evidence = row.said
    tests = {
        "": True,
        "found": evidence.cited > 0,
        "checked": evidence.is_checked,
        "silent": evidence.has_no_evidence,
        "not": not evidence.codes,
    }
    return tests[chosen["audit"] or ""]


def _summary_rows(checklist: Checklist, rows: list[ClauseRow]) -> list[SummaryRow]:
    facts: list[SummaryRow] = [
        SummaryRow(
            "Rules",
            str(checklist.version),
            checklist.version.get_absolute_url(),
            "Open",
        ),
        SummaryRow("Time", format_time_range(checklist.since, checklist.until, checklist.casino)),
        SummaryRow("State", checklist.tag),
        SummaryRow("Begun", _time_and_person(local(checklist.begun_at, checklist.casino), checklist.begun_by_name)),
    ]
    facts += _verdict_counts(rows)
    if checklist.supersedes is not None:
        href = casino_url("checklists:checklist", checklist.casino, checklist=checklist.supersedes.entry_index)
        facts.append(SummaryRow("Supersedes", str(checklist.supersedes), href, "Open"))
    if checklist.is_signed:
        signed = checklist.sign_off
        facts += [
            SummaryRow(
                "Signed off", _time_and_person(local(signed.signed_at, checklist.casino), signed.signed_by_name)
            ),
            SummaryRow("Conclusion", signed.conclusion),
            SummaryRow(
                "Recorded as", f"Entry {signed.entry_index:,}", entry_url(checklist.casino, signed.entry_index), "Open"
            ),
        ]
    return facts


def _time_and_person(moment: str, name: str) -> Any:
    return format_html("{} by {}", moment, name)


@inspectors_only
@allow_get_post
def sign_off(request: CasinoRequest, casino: str, checklist: int) -> HttpResponse:
    it = access_checklist(request.user, request.casino, checklist)
    if it.is_signed:
        raise NotFound
    rows = load_clause_rows(it)
    form = SignChecklistForm(bound_data(request), request=request, rows=rows)
    act = ConfirmPage(
        f"Sign off {str(it).lower()}",
        (
            "Each answer becomes an entry of the ledger, and yours is the last one, which signs them all.",
            "It is not edited afterwards. It can be withdrawn with a reason, or superseded by a new checklist.",
            "The operator can read the signed checklist, with your comments.",
        ),
        "Sign off",
        casino_url("checklists:checklist", request.casino, checklist=it.entry_index),
        str(it),
        "The checklist is signed off.",
        facts=SummaryList(_signed_facts(it, rows)),
        table=_findings_per_clause(it, rows),
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: sign_off_checklist(
            checklist=it, conclusion=form.cleaned_data["conclusion"], actor=request.user, now=timezone.now()
        ),
    )


def _signed_facts(checklist: Checklist, rows: list[ClauseRow]) -> list[SummaryRow]:
    """What the signature is about."""
    rounds = rows[0].said.rounds if rows else 0
    return [
        SummaryRow("Casino", str(checklist.casino)),
        SummaryRow("Rules", str(checklist.version), checklist.version.get_absolute_url(), "Open"),
        SummaryRow("Time", format_time_range(checklist.since, checklist.until, checklist.casino)),
        SummaryRow("Rounds audited in this time", f"{rounds:,}" if rounds else Tag("None", "danger")),
        *_verdict_counts(rows),
        SummaryRow("Not answered", f"{len(unanswered_rows(rows)):,}"),
        SummaryRow("Findings of this time", f"{sum(row.said.cited for row in rows):,}"),
    ]


def _verdict_counts(rows: list[ClauseRow]) -> list[SummaryRow]:
    counted = Counter(row.answer.verdict for row in rows if row.answer)
    return [SummaryRow(verdict.label, f"{counted[verdict]:,}") for verdict in ClauseVerdict]


def _findings_per_clause(checklist: Checklist, rows: list[ClauseRow]) -> DataTable:
    return DataTable(
        caption="Clauses that findings of this time cite",
        columns=(
            _clause_column(checklist),
            Column("What it says", "said.entry.gist"),
            Column("Findings", "said.cited", is_figure=True),
            *_answer_columns(),
            Column("To check", lambda row: Tag("“Yes” in spite of findings", "danger") if row.is_contradicted else ""),
        ),
        rows=[row for row in rows if row.said.cited],
        name="cited",
        page_size=len(rows) or 1,
        empty="None.",
    )


def _clause_column(checklist: Checklist) -> Column:
    def href(row: ClauseRow) -> str:
        return casino_url("checklists:clause", checklist.casino, checklist=checklist.entry_index, place=row.said.place)

    return Column("Clause", "said.clause", is_row_heading=True, link=href)


def _answer_columns() -> tuple[Column, ...]:
    return (
        Column("Answer", lambda row: ClauseVerdict(row.answer.verdict).tag if row.answer else ""),
        Column("Rests on", lambda row: AnswerBasis(row.answer.basis).label if row.answer else ""),
    )


@inspectors_only
@allow_get_post
def supersede(request: CasinoRequest, casino: str, checklist: int) -> HttpResponse:
    it = access_checklist(request.user, request.casino, checklist)
    if request.method != "POST":
        return render(request, "checklists/supersede.html", {"casino": request.casino, "checklist": it})
    try:
        begun = begin_checklist(
            casino=request.casino,
            version=it.version,
            since=it.since,
            until=it.until,
            supersedes=it,
            actor=request.user,
            now=timezone.now(),
        )
    except Refusal as refusal:
        messages.error(request, refusal.full_message)
        return redirect(casino_url("checklists:checklist", request.casino, checklist=it.entry_index))
    messages.success(request, "The answers were taken over. Change what is to be changed, then sign it off.")
    return redirect(casino_url("checklists:checklist", request.casino, checklist=begun.entry_index))
