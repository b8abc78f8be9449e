"""One clause of a checklist: the audit's evidence, rounds to recheck, and the answer."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.audit.catalogue.finding_code import Severity
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.clause_evidence import ClauseEvidence, findings_under_version
from compliance.inspection.checklists.forms import ClauseAnswerForm, UncheckedClausesForm
from compliance.inspection.checklists.models import Checklist, ClauseAnswer, DraftAnswer, Sample, SampledRound
from compliance.inspection.checklists.recheck import RecheckedRound, recheck_rounds
from compliance.inspection.checklists.selectors import (
    ClauseRow,
    access_checklist,
    load_clause_rows,
    samples_of,
    unchecked_rows,
)
from compliance.inspection.checklists.services import answer_clause, answer_clauses
from compliance.inspection.checklists.views.common import inspectors_only

# Limit for rechecking within a request.
MAX_RECHECKED_ROUNDS = 50


@inspectors_only
@allow_get_post
def clause(request: CasinoRequest, casino: str, checklist: int, place: int) -> ListResponse:
    it = access_checklist(request.user, request.casino, checklist)
    rows = load_clause_rows(it)
    row = _clause_row(rows, place)
    form = None if it.is_signed else _answer_form(request, row)
    if form is not None and request.method == "POST" and form.is_valid():
        try:
            answer_clause(
                checklist=it,
                clause=row.said.clause,
                answer=form.cleaned_answer(),
                expected_changes=form.cleaned_data["seen"],
                actor=request.user,
                now=timezone.now(),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
            form.data = _post_data_with_current_count(request, load_clause_rows(it), place)
        else:
            messages.success(request, f"{row.said.clause} is answered.")
            return redirect(_next_clause_url(it, rows, place))
    context = {
        "checklist": it,
        "said": row.said,
        "answer": row.answer,
        "summary": SummaryList(_summary_rows(row)),
        "codes": _checks_table(row.said),
        "findings": _findings_table(it, row.said),
        "form": form,
        "corrections": record_lines(
            request.user,
            request.casino,
            recorded_indexes(ClauseAnswer.recorded.filter(checklist=it, clause=row.said.clause)),
        )
        if it.is_signed
        else [],
        "back": casino_url("checklists:checklist", request.casino, checklist=it.entry_index),
        "again": casino_url("checklists:clause-again", request.casino, checklist=it.entry_index, place=place),
        "previous": _neighbour_url(it, rows, place - 1),
        "next": _neighbour_url(it, rows, place + 1),
    }
    return list_response(request, "checklists/clause.html", context, lists=("findings",))


@inspectors_only
@allow_get_post
def unchecked_clauses(request: CasinoRequest, casino: str, checklist: int) -> HttpResponse:
    """One answer to several clauses that no check bears on."""
    it = access_checklist(request.user, request.casino, checklist)
    if it.is_signed:
        raise NotFound
    rows = unchecked_rows(load_clause_rows(it))
    back = casino_url("checklists:checklist", request.casino, checklist=it.entry_index)
    informative = [row.said.clause for row in rows if row.said.is_informative]
    ticked = informative if "definitions" in request.GET else []
    initial = {"verdict": ClauseVerdict.NOT_APPLICABLE.value, "clauses": ticked}
    form = UncheckedClausesForm(bound_data(request), rows=rows, initial=initial)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data["clauses"]
        try:
            answer_clauses(
                checklist=it, clauses=chosen, answer=form.cleaned_answer(), actor=request.user, now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, f"{len(chosen):,} clause{'s are' if len(chosen) > 1 else ' is'} answered.")
            return redirect(back)
    context = {"checklist": it, "form": form, "back": back, "definitions": len(informative), "ticked": len(ticked)}
    return render(request, "checklists/unchecked-clauses.html", context)


def _answer_form(request: CasinoRequest, row: ClauseRow) -> ClauseAnswerForm:
    is_audited = row.said.is_checked and row.said.rounds > 0
    return ClauseAnswerForm(bound_data(request), initial=_initial_answer(row, request), is_audited=is_audited)


def _clause_row(rows: list[ClauseRow], place: int) -> ClauseRow:
    if not 1 <= place <= len(rows):
        raise NotFound
    return rows[place - 1]


def _initial_answer(row: ClauseRow, request: CasinoRequest) -> dict[str, Any]:
    """The saved answer, or a draft from a recheck."""
    answer = row.answer
    if isinstance(answer, DraftAnswer):
        known = {"verdict": answer.verdict, "basis": answer.basis, "comment": answer.comment}
    else:
        known = {}
    count = answer.changed_times if isinstance(answer, DraftAnswer) else 0
    brought = (
        {"basis": AnswerBasis.REPERFORMANCE.value, "comment": request.GET["comment"]}
        if "comment" in request.GET
        else {}
    )
    return {**known, **brought, "seen": count}


def _post_data_with_current_count(request: CasinoRequest, rows: list[ClauseRow], place: int) -> Any:
    """The input, with the answer count of the version that was saved meanwhile."""
    again, answer = request.POST.copy(), _clause_row(rows, place).answer
    again["seen"] = str(answer.changed_times if isinstance(answer, DraftAnswer) else 0)
    return again


def _next_clause_url(checklist: Checklist, rows: list[ClauseRow], place: int) -> str:
    """The next unanswered clause; the checklist once all are answered."""
    waiting = [row.said.place for row in rows if row.answer is None and row.said.place != place]
    following = next((one for one in waiting if one > place), waiting[0] if waiting else None)
    if following is None:
        return casino_url("checklists:checklist", checklist.casino, checklist=checklist.entry_index)
    return casino_url("checklists:clause", checklist.casino, checklist=checklist.entry_index, place=following)


def _neighbour_url(checklist: Checklist, rows: list[ClauseRow], place: int) -> str:
    is_there = 1 <= place <= len(rows)
    return (
        casino_url("checklists:clause", checklist.casino, checklist=checklist.entry_index, place=place)
        if is_there
        else ""
    )


def _summary_rows(row: ClauseRow) -> list[SummaryRow]:
    facts = [SummaryRow("What it says", row.said.entry.gist), SummaryRow("The audit", row.audit_sentence)]
    if row.said.entry.not_automated_because:
        facts.append(SummaryRow("Why no machine checks it", row.said.entry.not_automated_because))
    return facts


def _checks_table(evidence: ClauseEvidence) -> DataTable:
    return DataTable(
        caption="Checks that bear on it",
        columns=(
            Column("Check", lambda row: row[0], is_row_heading=True),
            Column("Under this version", lambda row: row[1].tag),
            Column("Findings of this time", lambda row: f"{evidence.by_code.get(row[0], 0):,}", is_figure=True),
        ),
        rows=list(evidence.codes.items()),
        name="codes",
        is_caption_hidden=True,
        empty="None.",
    )


def _findings_table(checklist: Checklist, evidence: ClauseEvidence) -> DataTable:
    return DataTable(
        caption="Findings of this time that cite the clause",
        columns=(
            Column("Code", "code", sort="code", is_row_heading=True, link=lambda row: row.get_absolute_url()),
            Column("Severity", lambda row: Severity(row.severity).tag),
            Column("What was found", "sentence"),
            Column("Table", "table", sort="table"),
            Column("When", "at", sort="at"),
        ),
        rows=findings_under_version(checklist.version, checklist.since, checklist.until).filter(clause=evidence.clause),
        name="findings",
        page_size=20,
        is_caption_hidden=True,
        empty="None.",
    )


@inspectors_only
@require_safe
def recheck_clause(request: CasinoRequest, casino: str, checklist: int, place: int) -> ListResponse:
    """Rechecks rounds of a sample, or those the audit flagged for this clause. Writes nothing."""
    it = access_checklist(request.user, request.casino, checklist)
    evidence = _clause_row(load_clause_rows(it), place).said
    samples = [one for one in samples_of(request.casino) if hasattr(one, "draw")]
    sample = next((one for one in samples if str(one.entry_index) == request.GET.get("sample", "")), None)
    indexes = _sampled_indexes(sample) if sample else _flagged_indexes(it, evidence)
    rechecked = list(recheck_rounds(request.casino, indexes).values())
    comment = _draft_comment(rechecked, evidence.clause, sample)
    context = {
        "checklist": it,
        "said": evidence,
        "at": timezone.now(),
        "judged": len(rechecked),
        "same": sum(one.is_same for one in rechecked),
        "table": _recheck_table(rechecked, evidence.clause),
        "samples": samples[:20],
        "sample": sample,
        "comment": comment,
        "back": casino_url("checklists:clause", request.casino, checklist=it.entry_index, place=place),
    }
    return list_response(request, "checklists/clause-again.html", context)


def _sampled_indexes(sample: Sample) -> list[int]:
    rounds = SampledRound.objects.filter(sample=sample).order_by("place")
    return list(rounds.values_list("round_index", flat=True)[:MAX_RECHECKED_ROUNDS])


def _flagged_indexes(checklist: Checklist, evidence: ClauseEvidence) -> list[int]:
    cited = findings_under_version(checklist.version, checklist.since, checklist.until).filter(clause=evidence.clause)
    return list(
        cited.order_by("subject_index").values_list("subject_index", flat=True).distinct()[:MAX_RECHECKED_ROUNDS]
    )


def _draft_comment(rechecked: list[RecheckedRound], clause: str, sample: Sample | None) -> str:
    """Draft comment with the figures, for the person to complete."""
    cited = sum(bool(one.findings_citing(clause)) for one in rechecked)
    same = sum(one.is_same for one in rechecked)
    which = f"of {str(sample).lower()}" if sample else "that findings name"
    return (
        f"{len(rechecked):,} rounds {which} judged again: {cited:,} with a finding under {clause}; "
        f"{same:,} came out as the audit had recorded."
    )


def _recheck_table(rechecked: list[RecheckedRound], clause: str) -> DataTable:
    def finding_text(one: RecheckedRound) -> Any:
        drafts = one.findings_citing(clause)
        return drafts[0].sentence if drafts else "Nothing under this clause."

    return DataTable(
        caption="Rounds judged again",
        columns=(
            Column("Round", "behind.played.round", is_row_heading=True),
            Column("Table", "behind.entry.table"),
            Column("Under this clause", finding_text),
            Column(
                "Against the audit",
                lambda one: Tag("The same", "success") if one.is_same else Tag("Not the same", "danger"),
            ),
        ),
        rows=rechecked,
        name="again",
        is_caption_hidden=True,
        empty="No round to judge again. Draw a sample, or choose one.",
    )
