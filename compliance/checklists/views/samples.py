"""A sample, and its rounds one by one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.requests import CasinoRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.steps import posted
from compliance.checklists.answers import RoundVerdict
from compliance.checklists.estimating import Results, results_of
from compliance.checklists.forms import RoundCheckForm
from compliance.checklists.models import RoundCheck, Sample, SampledRound
from compliance.checklists.reperforming import JudgedAgain, judge_again
from compliance.checklists.selectors import access_sample, access_sampled, next_unchecked
from compliance.checklists.services import check_round
from compliance.checklists.views.drawing import state_of
from compliance.checklists.views.places import address_of, inspectors, period_words
from compliance.checklists.wording import estimate_words, spread_words, weights_table
from compliance.reviews.rounds import WagerSeen, event_words
from compliance.web.components import Column, SummaryList, SummaryRow, Table, Tag, Timeline, TimelineEntry
from compliance.web.errors import NotFound, Refusal
from compliance.web.templatetags.kit import dice, local, money
from rounds.rulebook.calculator.words import plain


@inspectors
@never_cache
@require_safe
def sample(request: CasinoRequest, casino: str, sample: int) -> HttpResponse:
    it = access_sample(request.user, request.casino, sample)
    waiting = next_unchecked(it, 0)
    table = Table(
        caption="Rounds of the sample, as they were drawn",
        columns=(
            Column(
                "Place", "place", sort="place", is_row_heading=True,
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
    )  # fmt: skip
    context = {
        "casino": request.casino,
        "sample": it,
        **state_of(it),
        "summary": SummaryList(_facts(it)),
        "weights": weights_table(it) if it.is_weighted else None,
        "spread": spread_words(it) if it.is_weighted and hasattr(it, "draw") else "",
        "table": table,
        "next": _place(it, waiting) if waiting else "",
    }
    return render(request, "checklists/sample.html", context)


def _weight_columns(it: Sample) -> tuple[Column, ...]:
    if not it.is_weighted:
        return ()
    return (Column("Weight", "weight", sort="weight", is_figure=True), Column("Weighs more because", "why"))


def _facts(it: Sample) -> list[SummaryRow]:
    facts = [
        SummaryRow("What for", it.purpose),
        SummaryRow("Time", period_words(it.since, it.until, it.casino)),
        SummaryRow("Tables", ", ".join(it.tables) or "All"),
        SummaryRow("Asked for", f"{it.size:,} round{'' if it.size == 1 else 's'}"),
        SummaryRow("How", "Weighted by risk" if it.is_weighted else "Every round as likely as any other"),
        SummaryRow("Drawn from", f"What was audited below entry {it.up_to:,}"),
        SummaryRow("Seed", it.seed),
        SummaryRow("Seed recorded as", f"Entry {it.entry_index:,}", _entry(it, it.entry_index), "Open"),
        SummaryRow("By", it.seeded_by_name),
    ]
    if hasattr(it, "draw"):
        facts += _drawn_facts(it, results_of(it.draw, it.sampled_rounds.values_list("weight", "verdict")))
    return facts


def _drawn_facts(it: Sample, results: Results) -> list[SummaryRow]:
    facts = [
        SummaryRow("Rounds that could be drawn", f"{it.draw.population:,}"),
        SummaryRow("Draw recorded as", f"Entry {it.draw.entry_index:,}", _entry(it, it.draw.entry_index), "Open"),
        SummaryRow("Looked at", f"{results.looked_at:,} of {results.drawn:,}"),
    ]
    if results.looked_at:
        facts.append(SummaryRow("Not in order", f"{results.not_in_order:,} of {results.looked_at:,} looked at"))
        facts.append(SummaryRow("For all rounds", estimate_words(results)))
    return facts


def _entry(it: Sample, index: int) -> str:
    return reverse("evidence:entry", kwargs={"casino": it.casino.slug, "index": index})


def _place(it: Sample, sampled: SampledRound) -> str:
    return address_of("walk", it.casino, sample=it.entry_index, place=sampled.place)


@inspectors
@never_cache
@asks_first
def walk(request: CasinoRequest, casino: str, sample: int, place: int) -> HttpResponse:
    """One round of the sample: judged again as the page opens, beside what was paid and what the audit recorded."""
    sampled = access_sampled(request.user, request.casino, sample, place)
    it = sampled.sample
    form = RoundCheckForm(posted(request), initial={"verdict": sampled.verdict, "seen": sampled.checked_times})
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            check_round(
                sampled=sampled, verdict=RoundVerdict(typed["verdict"]), note=typed["note"], seen=typed["seen"],
                actor=request.user, now=timezone.now(),
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
            sampled.refresh_from_db()
            typed_again = request.POST.copy()
            typed_again["seen"] = str(sampled.checked_times)
            form.data = typed_again
        else:
            waiting = next_unchecked(it, place)
            messages.success(request, f"Round {place} of the sample is recorded.")
            following = _place(it, waiting) if waiting else address_of("sample", it.casino, sample=it.entry_index)
            return redirect(following)
    judged = judge_again(request.casino, [sampled.round_index]).get(sampled.round_index)
    if judged is None:
        raise NotFound
    context = {
        "casino": request.casino,
        "sample": it,
        "sampled": sampled,
        "number": it.sampled_rounds.count(),
        "judged": judged,
        "summary": SummaryList(_round_facts(judged, sampled)),
        "events": _events(judged, request),
        "wagers": _wagers(judged, request),
        "found": _found(judged, request),
        "checks": Timeline(_checks(sampled), request.casino, "Looks at this round"),
        "form": form,
        "back": address_of("sample", request.casino, sample=it.entry_index),
        "round_page": reverse("desk:round", kwargs={"casino": it.casino.slug, "index": sampled.round_index}),
    }
    return render(request, "checklists/walk.html", context)


def _round_facts(judged: JudgedAgain, sampled: SampledRound) -> list[SummaryRow]:
    played, faces = judged.behind.played, judged.behind.faces
    facts = [SummaryRow("Round", played.round), SummaryRow("Table", sampled.table)]
    if faces:
        facts.append(SummaryRow("Dice" if played.dice else "Cards", dice(faces) if played.dice else _figures(faces)))
        facts.append(SummaryRow("Total", sum(faces)))
    if played.no_result:
        facts.append(SummaryRow("No result", plain(played.no_result.reason)))
    facts.append(SummaryRow("Began", local(judged.behind.began_at, sampled.sample.casino)))
    if judged.behind.dealer:
        facts.append(SummaryRow("Dealer position", plain(judged.behind.dealer)))
    return facts


def _figures(faces: tuple[int, ...]) -> str:
    return "-".join(map(str, faces))


def _events(judged: JudgedAgain, request: CasinoRequest) -> Table:
    behind = judged.behind
    return Table(
        caption="What happened when",
        columns=(
            Column("Event", event_words, is_row_heading=True),
            Column("After the beginning", lambda event: behind.seconds(event.at), is_figure=True),
        ),
        rows=behind.events,
        query=request.GET,
        name="events",
    )


def _wagers(judged: JudgedAgain, request: CasinoRequest) -> Table:
    due = {one.wager: one.required_cents for one in judged.found if one.wager and one.required_cents is not None}

    def due_now(row: WagerSeen) -> str:
        return money(due.get(row.wager.id, row.wager.returned))

    return Table(
        caption="Every wager, with what is due by a fresh judgement",
        columns=(
            Column("Wager", "wager.id", is_row_heading=True),
            Column("Whose", "holder"),
            Column("Box", "bet_words"),
            Column("Stake", lambda row: money(row.wager.stake), is_figure=True),
            Column("Handed back", lambda row: money(row.wager.returned), is_figure=True),
            Column("Due", due_now, is_figure=True),
        ),
        rows=judged.behind.wagers(()),
        query=request.GET,
        name="wagers",
        empty="Nobody had wagered.",
    )


def _found(judged: JudgedAgain, request: CasinoRequest) -> Table:
    return Table(
        caption="What a fresh judgement finds",
        columns=(
            Column("Code", "code", is_row_heading=True),
            Column("Clause", "clause"),
            Column("What is found", "sentence"),
        ),
        rows=judged.found,
        query=request.GET,
        name="found",
        empty="Nothing: the round was played and settled as the rules say.",
    )


def _checks(sampled: SampledRound) -> list[TimelineEntry]:
    def words(one: RoundCheck) -> str:
        same = "" if one.was_same else " A fresh judgement differed from what the audit had recorded."
        return f"{one.note}{same}".strip()

    def tag(one: RoundCheck) -> Tag:
        return RoundVerdict(one.verdict).tag

    return [
        TimelineEntry("Looked at", one.checked_at, one.checked_by_name, words(one), tag(one))
        for one in sampled.checks.all()
    ]
