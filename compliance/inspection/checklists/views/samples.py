"""One sample, and checking its rounds one by one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import dice, local, money
from compliance.core.web.ui.components import Column, SummaryList, SummaryRow, Table, Tag, Timeline, TimelineEntry
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.inspection.checklists.answer_choices import RoundVerdict
from compliance.inspection.checklists.forms import RoundCheckForm
from compliance.inspection.checklists.models import RoundCheck, Sample, SampledRound
from compliance.inspection.checklists.recheck import RecheckedRound, recheck_rounds
from compliance.inspection.checklists.sampling.estimates import SampleResults, summarize_results
from compliance.inspection.checklists.sampling.text import estimate_text, weight_distribution_text, weights_table
from compliance.inspection.checklists.selectors import access_sample, access_sampled_round, next_unchecked_round
from compliance.inspection.checklists.services import record_round_check
from compliance.inspection.checklists.views.common import address_of, format_time_range, inspectors_only
from compliance.inspection.checklists.views.draws import draw_state
from compliance.inspection.reviews.finding_round import FindingWager, event_label
from rounds.rulebook.labels import humanize_slug


@inspectors_only
@never_cache
@require_safe
def sample(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    it = access_sample(request.user, request.casino, sample)
    waiting = next_unchecked_round(it, 0)
    table = Table(
        caption="Rounds of the sample, as they were drawn",
        columns=(
            Column(
                "Place",
                "place",
                sort="place",
                is_row_heading=True,
                link=lambda row: address_of("walk", request.casino, sample=it.entry_index, place=row.place),
            ),
            Column("Entry", lambda row: f"{row.round_index:,}", sort="round_index", is_figure=True),
            Column("Table", "table", sort="table"),
            Column("Began", lambda row: local(row.started_at, request.casino), sort="started_at"),
            *_weight_columns(it),
            Column("Your verdict", "tag", sort="verdict"),
        ),
        rows=it.sampled_rounds.all(),
        query=request.GET,
        is_caption_hidden=True,
        empty="It is not drawn yet.",
    )
    context = {
        "casino": request.casino,
        "sample": it,
        **draw_state(it),
        "summary": SummaryList(_summary_rows(it)),
        "weights": weights_table(it) if it.is_weighted else None,
        "spread": weight_distribution_text(it) if it.is_weighted and hasattr(it, "draw") else "",
        "table": table,
        "next": _sampled_round_url(it, waiting) if waiting else "",
    }
    return render(request, "checklists/sample.html", context)


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
        SummaryRow("Seed recorded as", f"Entry {sample.entry_index:,}", _entry_url(sample, sample.entry_index), "Open"),
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
            _entry_url(sample, sample.draw.entry_index),
            "Open",
        ),
        SummaryRow("Looked at", f"{results.looked_at:,} of {results.drawn:,}"),
    ]
    if results.looked_at:
        facts.append(SummaryRow("Not in order", f"{results.not_in_order:,} of {results.looked_at:,} looked at"))
        facts.append(SummaryRow("For all rounds", estimate_text(results)))
    return facts


def _entry_url(sample: Sample, index: int) -> str:
    return reverse("evidence:entry", kwargs={"casino": sample.casino.slug, "index": index})


def _sampled_round_url(sample: Sample, sampled: SampledRound) -> str:
    return address_of("walk", sample.casino, sample=sample.entry_index, place=sampled.place)


@inspectors_only
@never_cache
@allow_get_post
def check_sampled_round(request: CasinoRequest, casino: str, sample: int, place: int) -> HttpResponse:
    """One round of the sample: rechecked when the page opens, next to what was paid and what the audit recorded."""
    sampled = access_sampled_round(request.user, request.casino, sample, place)
    it = sampled.sample
    form = RoundCheckForm(bound_data(request), initial={"verdict": sampled.verdict, "seen": sampled.checked_times})
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            record_round_check(
                sampled=sampled,
                verdict=RoundVerdict(typed["verdict"]),
                note=typed["note"],
                expected_checks=typed["seen"],
                actor=request.user,
                now=timezone.now(),
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
                _sampled_round_url(it, waiting) if waiting else address_of("sample", it.casino, sample=it.entry_index)
            )
            return redirect(following)
    rechecked = recheck_rounds(request.casino, [sampled.round_index]).get(sampled.round_index)
    if rechecked is None:
        raise NotFound
    context = {
        "casino": request.casino,
        "sample": it,
        "sampled": sampled,
        "number": it.sampled_rounds.count(),
        "judged": rechecked,
        "summary": SummaryList(_round_summary_rows(rechecked, sampled)),
        "events": _events_table(rechecked, request),
        "wagers": _wagers_table(rechecked, request),
        "found": _rechecked_findings_table(rechecked, request),
        "checks": Timeline(_timeline_of_checks(sampled), request.casino, "Looks at this round"),
        "form": form,
        "back": address_of("sample", request.casino, sample=it.entry_index),
        "round_page": reverse("desk:round", kwargs={"casino": it.casino.slug, "index": sampled.round_index}),
    }
    return render(request, "checklists/walk.html", context)


def _round_summary_rows(rechecked: RecheckedRound, sampled: SampledRound) -> list[SummaryRow]:
    played, faces = rechecked.behind.played, rechecked.behind.faces
    facts = [SummaryRow("Round", played.round), SummaryRow("Table", sampled.table)]
    if faces:
        facts.append(
            SummaryRow("Dice" if played.dice else "Cards", dice(faces) if played.dice else _format_faces(faces))
        )
        facts.append(SummaryRow("Total", sum(faces)))
    if played.no_result:
        facts.append(SummaryRow("No result", humanize_slug(played.no_result.reason)))
    facts.append(SummaryRow("Began", local(rechecked.behind.began_at, sampled.sample.casino)))
    if rechecked.behind.dealer:
        facts.append(SummaryRow("Dealer position", humanize_slug(rechecked.behind.dealer)))
    return facts


def _format_faces(faces: tuple[int, ...]) -> str:
    return "-".join(map(str, faces))


def _events_table(rechecked: RecheckedRound, request: CasinoRequest) -> Table:
    finding_round = rechecked.behind
    return Table(
        caption="What happened when",
        columns=(
            Column("Event", event_label, is_row_heading=True),
            Column("After the beginning", lambda event: finding_round.seconds_since_start(event.at), is_figure=True),
        ),
        rows=finding_round.events,
        query=request.GET,
        name="events",
    )


def _wagers_table(rechecked: RecheckedRound, request: CasinoRequest) -> Table:
    due = {one.wager: one.required_cents for one in rechecked.found if one.wager and one.required_cents is not None}

    def due_text(row: FindingWager) -> str:
        return money(due.get(row.wager.id, row.wager.returned))

    return Table(
        caption="Every wager, with what is due by a fresh judgement",
        columns=(
            Column("Wager", "wager.id", is_row_heading=True),
            Column("Whose", "holder"),
            Column("Box", "bet_words"),
            Column("Stake", lambda row: money(row.wager.stake), is_figure=True),
            Column("Handed back", lambda row: money(row.wager.returned), is_figure=True),
            Column("Due", due_text, is_figure=True),
        ),
        rows=rechecked.behind.wagers(()),
        query=request.GET,
        name="wagers",
        empty="Nobody had wagered.",
    )


def _rechecked_findings_table(rechecked: RecheckedRound, request: CasinoRequest) -> Table:
    return Table(
        caption="What a fresh judgement finds",
        columns=(
            Column("Code", "code", is_row_heading=True),
            Column("Clause", "clause"),
            Column("What is found", "sentence"),
        ),
        rows=rechecked.found,
        query=request.GET,
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
