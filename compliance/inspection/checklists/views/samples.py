"""One sample, and checking its rounds one by one."""

from typing import Any

from django.contrib import messages
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.audit.selectors import findings_by_record
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks, Parts, no_entry
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import dice, local
from compliance.core.web.ui.cell_values import Lines, Link
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.core.web.ui.links import casino_url, entry_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from compliance.core.web.ui.record_notes import notes_of_records
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.forms import RoundCheckForm
from compliance.inspection.checklists.models import RoundCheck, Sample, SampledRound
from compliance.inspection.checklists.recheck import RecheckedRound, recheck_rounds
from compliance.inspection.checklists.sampling.estimates import SampleResults, summarize_results
from compliance.inspection.checklists.sampling.text import estimate_text, weight_distribution_text, weights_table
from compliance.inspection.checklists.selectors import access_sample, access_sampled_round, next_unchecked_round
from compliance.inspection.checklists.services import record_round_check
from compliance.inspection.checklists.views.common import format_time_range, inspectors_only
from compliance.inspection.checklists.views.draws import draw_state
from compliance.inspection.reviews.finding_round import event_label
from rounds.rulebook.labels import humanize_slug, void_reason_label


@inspectors_only
@require_safe
def sample(request: CasinoRequest, casino: str, sample: int) -> ListResponse:
    it = access_sample(request.user, request.casino, sample)
    waiting = next_unchecked_round(it, 0)
    checks = Parts(RoundCheck.recorded.all(), "sampled_id")
    marks = CorrectionMarks(request.casino, [checks], own=no_entry)
    table = DataTable(
        caption="Rounds of the sample, as they were drawn",
        columns=(
            Column(
                "Place",
                "place",
                sort="place",
                is_row_heading=True,
                link=lambda row: casino_url("checklists:walk", request.casino, sample=it.entry_index, place=row.place),
            ),
            Column(
                "Entry",
                lambda row: f"{row.round_index:,}",
                sort="round_index",
                is_figure=True,
                link=lambda row: casino_url("desk:round", request.casino, index=row.round_index),
            ),
            Column("Table", "table", sort="table"),
            Column("Began", "started_at", sort="started_at"),
            *_weight_columns(it),
            Column("Your verdict", "tag", sort="verdict"),
            _findings_column(request, it),
            marks.column,
        ),
        rows=it.sampled_rounds.all(),
        prepare=marks.read,
        is_caption_hidden=True,
        empty="It is not drawn yet.",
    )
    context = {
        "sample": it,
        **draw_state(it),
        "summary": SummaryList(_summary_rows(it)),
        "weights": weights_table(it) if it.is_weighted else None,
        "spread": weight_distribution_text(it) if it.is_weighted and hasattr(it, "draw") else "",
        "table": table,
        "next": _sampled_round_url(it, waiting) if waiting else "",
    }
    return list_response(request, "checklists/sample.html", context)


def _findings_column(request: CasinoRequest, sample: Sample) -> Column:
    """The audit's findings about rounds that have a verdict, and what was decided later. Others stay without, so that a
    person looks first."""
    checked = list(sample.sampled_rounds.exclude(verdict="").values_list("round_index", flat=True))
    notes = notes_of_records(request.user, request.casino, {index: [index] for index in checked})
    found = findings_by_record(request.casino, {index: [index] for index in checked})

    def findings(row: SampledRound) -> Any:
        if not row.verdict:
            return "Shown after your verdict"
        links = (Link(one.get_absolute_url(), one.code) for one in found.get(row.round_index, ()))
        return Lines(*filter(None, [notes[row.round_index].void]), *links)

    return Column("Findings of the audit", findings)


def _weight_columns(sample: Sample) -> tuple[Column, ...]:
    if not sample.is_weighted:
        return ()
    return (Column("Weight", "weight", sort="weight", is_figure=True), Column("Weighs more because", "why"))


def _summary_rows(sample: Sample) -> list[SummaryRow]:
    facts = [
        SummaryRow("What for", sample.purpose),
        SummaryRow("Time", format_time_range(sample.since, sample.until, sample.casino)),
        SummaryRow("Tables", ", ".join(sample.tables) or "All"),
        SummaryRow("Asked for", f"{sample.size:,} round{'' if sample.size == 1 else 's'}"),
        SummaryRow("How", "Weighted by risk" if sample.is_weighted else "Every round as likely as any other"),
        SummaryRow("Drawn from", f"What was audited below entry {sample.up_to:,}"),
        SummaryRow("Seed", sample.seed),
        SummaryRow(
            "Seed recorded as", f"Entry {sample.entry_index:,}", entry_url(sample.casino, sample.entry_index), "Open"
        ),
        SummaryRow("By", sample.seeded_by_name),
    ]
    if hasattr(sample, "draw"):
        facts += _draw_summary_rows(
            sample, summarize_results(sample.draw, sample.sampled_rounds.values_list("weight", "verdict"))
        )
    return facts


def _draw_summary_rows(sample: Sample, results: SampleResults) -> list[SummaryRow]:
    facts = [
        SummaryRow("Rounds that could be drawn", f"{sample.draw.population:,}"),
        SummaryRow(
            "Draw recorded as",
            f"Entry {sample.draw.entry_index:,}",
            entry_url(sample.casino, sample.draw.entry_index),
            "Open",
        ),
        SummaryRow("Looked at", f"{results.looked_at:,} of {results.drawn:,}"),
    ]
    if results.looked_at:
        facts.append(SummaryRow("Not in order", f"{results.not_in_order:,} of {results.looked_at:,} looked at"))
        facts.append(SummaryRow("For all rounds", estimate_text(results)))
    return facts


def _sampled_round_url(sample: Sample, sampled: SampledRound) -> str:
    return casino_url("checklists:walk", sample.casino, sample=sample.entry_index, place=sampled.place)


@inspectors_only
@allow_get_post
def check_sampled_round(request: CasinoRequest, casino: str, sample: int, place: int) -> ListResponse:
    """One round of the sample: rechecked when the page opens, next to what was paid and what the audit recorded."""
    sampled = access_sampled_round(request.user, request.casino, sample, place)
    it = sampled.sample
    form = RoundCheckForm(bound_data(request), initial={"verdict": sampled.verdict, "seen": sampled.checked_times})
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            carry_out(
                request,
                form,
                lambda: record_round_check(
                    sampled=sampled,
                    verdict=RoundVerdict(typed["verdict"]),
                    note=typed["note"],
                    expected_checks=typed["seen"],
                    actor=request.user,
                    now=timezone.now(),
                ),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
            sampled.refresh_from_db()
            typed_again = request.POST.copy()
            typed_again["seen"] = str(sampled.checked_times)
            form.data = typed_again
        else:
            waiting = next_unchecked_round(it, place)
            messages.success(request, f"Round {place} of the sample is recorded.")
            following = (
                _sampled_round_url(it, waiting)
                if waiting
                else casino_url("checklists:sample", it.casino, sample=it.entry_index)
            )
            return redirect(following)
    rechecked = recheck_rounds(request.casino, [sampled.round_index]).get(sampled.round_index)
    if rechecked is None:
        raise NotFound
    context = {
        "sample": it,
        "sampled": sampled,
        "number": it.sampled_rounds.count(),
        "judged": rechecked,
        "summary": SummaryList(_round_summary_rows(request, rechecked, sampled)),
        "events": _events_table(rechecked),
        "wagers": _wagers_table(rechecked),
        "found": _rechecked_findings_table(rechecked),
        "checks": Timeline(_timeline_of_checks(sampled), request.casino, "Looks at this round"),
        "form": form,
        "corrections": record_lines(
            request.user, request.casino, recorded_indexes(RoundCheck.recorded.filter(sampled=sampled))
        ),
        "back": casino_url("checklists:sample", request.casino, sample=it.entry_index),
        "round_page": casino_url("desk:round", it.casino, index=sampled.round_index),
    }
    return list_response(request, "checklists/walk.html", context, lists=("events", "wagers", "found"))


def _round_summary_rows(request: CasinoRequest, rechecked: RecheckedRound, sampled: SampledRound) -> list[SummaryRow]:
    played, faces = rechecked.behind.played, rechecked.behind.faces
    facts = [SummaryRow("Round", played.round), SummaryRow("Table", sampled.table)]
    if faces:
        facts.append(
            SummaryRow("Dice" if played.dice else "Cards", dice(faces) if played.dice else _format_faces(faces))
        )
        facts.append(SummaryRow("Total", sum(faces)))
    if played.no_result:
        facts.append(SummaryRow("No result", void_reason_label(played.no_result.reason)))
    facts.append(SummaryRow("Began", local(rechecked.behind.began_at, sampled.sample.casino)))
    notes = notes_of_records(request.user, request.casino, {0: [sampled.round_index]})
    if notes[0].void:
        facts.append(SummaryRow("Decided later", Tag(notes[0].void, "danger")))
    if rechecked.behind.dealer:
        facts.append(SummaryRow("Dealer position", humanize_slug(rechecked.behind.dealer)))
    return facts


def _format_faces(faces: tuple[int, ...]) -> str:
    return "-".join(map(str, faces))


def _events_table(rechecked: RecheckedRound) -> DataTable:
    finding_round = rechecked.behind
    return DataTable(
        caption="What happened when",
        columns=(
            Column("Event", event_label, is_row_heading=True),
            Column("After the beginning", lambda event: finding_round.seconds_since_start(event.at), is_figure=True),
        ),
        rows=finding_round.events,
        name="events",
    )


def _wagers_table(rechecked: RecheckedRound) -> DataTable:
    finding_round = rechecked.behind
    return DataTable(
        caption="Every wager, with what is due by a fresh judgement",
        columns=(
            Column("Wager", "assessment.wager_id", is_row_heading=True),
            Column("Whose", "holder"),
            Column("Box", lambda row: Lines(*finding_round.box_lines(row))),
            Column("Stake", "view.stake_cents", is_money=True),
            Column("Handed back", "assessment.found_cents", is_money=True),
            Column("Due", "assessment.due_cents", is_money=True),
        ),
        rows=finding_round.wagers(()),
        name="wagers",
        empty="Nobody had wagered.",
    )


def _rechecked_findings_table(rechecked: RecheckedRound) -> DataTable:
    recorded = {(one.code, one.wager): one.get_absolute_url() for one in rechecked.recorded}
    return DataTable(
        caption="What a fresh judgement finds",
        columns=(
            Column("Code", "code", is_row_heading=True, link=lambda draft: recorded.get((draft.code, draft.wager), "")),
            Column("Clause", "clause"),
            Column("What is found", "sentence"),
        ),
        rows=rechecked.found,
        name="found",
        empty="Nothing: the round was played and settled as the rules say.",
    )


def _timeline_of_checks(sampled: SampledRound) -> list[TimelineEntry]:
    def note_text(one: RoundCheck) -> str:
        same = "" if one.was_same else " A fresh judgement differed from what the audit had recorded."
        return f"{one.note}{same}".strip()

    def verdict_tag(one: RoundCheck) -> Tag:
        return RoundVerdict(one.verdict).tag

    return [
        TimelineEntry("Looked at", one.checked_at, one.checked_by_name, note_text(one), verdict_tag(one))
        for one in sampled.checks.all()
    ]
