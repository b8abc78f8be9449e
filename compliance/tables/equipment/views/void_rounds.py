"""Rounds affected by damaged dice: a shift manager's determination, and its effect on each wager."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.list_marks import CorrectionMarks
from compliance.core.corrections.selectors import record_lines, recorded_indexes
from compliance.core.web.errors import NotFound, Refusal
from compliance.core.web.templatetags.ui import local, tag
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.confirm_page import allow_get_post, bound_data
from compliance.core.web.ui.forms import LocalDateTimeField, set_zone
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from compliance.core.web.ui.record_notes import ListNotes
from compliance.tables.equipment.forms.base import NameField
from compliance.tables.equipment.models import StakesReturned, VoidSet
from compliance.tables.equipment.services.floor_records import MAY_VOID, void_rounds
from compliance.tables.equipment.services.stake_returns import MAY_RETURN_STAKES, VoidedWager, voided_wagers
from compliance.tables.equipment.views.common import entry_link, readers_only, voiders_only
from compliance.tables.equipment.views.stake_returns import returned_stakes_table
from rounds.engine import DAMAGED_DICE, LaterVoid, judge_later_void
from rounds.floor.models import Table as FloorTable
from rounds.intake.entry_kinds import ROUND
from rounds.intake.round_view import later_void_text, read_round
from rounds.ledger import EntryQuery, LogEntry, read_entries_at, search_entries
from rounds.rulebook.labels import bet_label

MAX_CANDIDATES = 2_000
NO_RULES = "No approved rules were in force, so nothing says whether that makes them void."
SEARCH_PAGE_SIZE = 200


class RoundSearchForm(forms.Form):
    """Search for candidate rounds: a table, its dice, and a period."""

    table = forms.ChoiceField(label="Table")
    dice_set = NameField(label="Set of dice", help_text="As it is marked, such as set-0912.")
    since = LocalDateTimeField(label="Rounds from")
    until = LocalDateTimeField(label="to")

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = FloorTable.objects.filter(casino=casino).order_by("name").values_list("slug", "name")
        self.fields["table"].choices = list(tables)  # type: ignore[attr-defined]
        set_zone(self, casino.zone)

    def clean(self) -> dict[str, Any]:
        typed: dict[str, Any] = super().clean() or {}
        since, until = typed.get("since"), typed.get("until")
        if since and until and since >= until:
            self.add_error("until", "The end lies before the beginning.")
        return typed


class VoidRoundsForm(ReauthenticateForm):
    rounds = forms.TypedMultipleChoiceField(
        label="Rounds that were affected",
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one round."},
    )
    reason = forms.CharField(label="How the dice were damaged, and why these rounds", max_length=500)


@readers_only
@require_safe
def void_sets(request: CasinoRequest, casino: str) -> ListResponse:
    place = request.casino
    marks = CorrectionMarks(place)
    table = DataTable(
        caption="Determinations, the newest first",
        columns=(
            Column(
                "Determined",
                "at",
                sort="at",
                is_row_heading=True,
                link=lambda row: casino_url("equipment:void-set", place, void_set=row.entry_index),
            ),
            Column("Table", "table.name", sort="table__name"),
            Column("Dice", "dice_set"),
            Column("Rounds", lambda row: f"{len(row.rounds):,}", is_figure=True),
            Column("Why", "reason"),
            Column("By", "by_name"),
            marks.column,
        ),
        rows=VoidSet.recorded.filter(casino=place).select_related("table"),
        prepare=marks.read,
        sort="-at",
        empty="No rounds were determined to be affected by damaged dice.",
    )
    context = {"table": table, "may_void": request.user.has_role(*MAY_VOID, casino=place)}
    return list_response(request, "equipment/void-sets.html", context)


@readers_only
@require_safe
def void_set(request: CasinoRequest, casino: str, void_set: int) -> ListResponse:
    found = VoidSet.recorded.filter(casino=request.casino, entry_index=void_set).select_related("table").first()
    if found is None:
        raise NotFound
    [entry] = read_entries_at(casino, [void_set])
    wagers = voided_wagers(request.casino, entry)
    returns = recorded_indexes(StakesReturned.recorded.filter(casino=request.casino, because=void_set))
    judged = judged_by_rules(request.casino, read_entries_at(casino, found.rounds))
    context = {
        "void_set": found,
        "effects": effect_sentences(judged, "these rounds"),
        "is_void": any(each is not None and each.is_void for each in judged.values()),
        "may_be_returned": any(wager.returnable_cents for wager in wagers),
        "table": _wager_table(request, wagers),
        "due_cents": sum(wager.due_cents for wager in wagers),
        "overpaid_cents": sum(wager.overpaid_cents for wager in wagers),
        "entry": entry_link(request.casino, found.entry_index),
        "returned": returned_stakes_table(request.casino, void_set),
        "corrections": record_lines(request.user, request.casino, [void_set, *returns]),
        "may_return": request.user.has_role(*MAY_RETURN_STAKES, casino=request.casino),
    }
    return list_response(request, "equipment/void-set.html", context)


def _wager_table(request: CasinoRequest, wagers: Sequence[VoidedWager]) -> DataTable:
    def round_link(wager: VoidedWager) -> str:
        return casino_url("desk:round", request.casino, index=wager.index)

    return DataTable(
        caption="What follows for each wager",
        columns=(
            Column("Round", "round", is_row_heading=True, link=round_link),
            Column("Wager", "wager"),
            Column("Bet", lambda wager: bet_label(wager.bet)),
            Column("Stake", "stake_cents", is_money=True),
            Column("Handed back then", "returned_cents", is_money=True),
            Column("Handed back since", "since_cents", is_money=True),
            Column("To be handed back now", "due_cents", is_money=True),
            Column("Paid beyond the stake", "overpaid_cents", is_money=True),
        ),
        rows=wagers,
        empty="Nobody had wagered on these rounds.",
    )


@voiders_only
@allow_get_post
def new_void_set(request: CasinoRequest, casino: str) -> HttpResponse:
    """Two steps on one URL: the search is in the query string, the selection is posted."""
    place = request.casino
    asked = request.GET if "table" in request.GET else None
    find = RoundSearchForm(asked, casino=place)
    context: dict[str, Any] = {"casino": place, "find": find, "is_found": False}
    if asked is not None and find.is_valid():
        typed = find.cleaned_data
        table = FloorTable.objects.get(casino=place, slug=typed["table"])
        candidates = candidate_rounds(place, table, typed["since"], typed["until"])
        form = VoidRoundsForm(
            bound_data(request), request=request, initial={"rounds": _rounds_with_dice(candidates, typed)}
        )
        notes = ListNotes(request, lambda entry: [entry.index])
        notes.read(candidates)
        labels = [(each.index, _round_label(each, place, notes.of(each).mark)) for each in candidates]
        form.fields["rounds"].choices = labels  # type: ignore[attr-defined]
        if request.method == "POST" and form.is_valid():
            try:
                made = carry_out(
                    request,
                    form,
                    lambda: void_rounds(
                        table=table,
                        dice_set=typed["dice_set"],
                        rounds=form.cleaned_data["rounds"],
                        reason=form.cleaned_data["reason"],
                        actor=request.user,
                        now=timezone.now(),
                    ),
                )
                return redirect(casino_url("equipment:void-set", place, void_set=made.entry_index))
            except Refusal as refusal:
                form.add_error(None, refusal.full_message)
        context |= {"form": form, "is_found": True, "candidates": candidates, "floor_table": table}
        context["effects"] = effect_sentences(judged_by_rules(place, candidates), "the rounds you choose")
    return render(request, "equipment/new-void-set.html", context)


def judged_by_rules(casino: Casino, rounds: Sequence[LogEntry]) -> dict[str, LaterVoid | None]:
    """What the rules make of damaged dice, by the rule version of the first and of the last of these rounds. The page
    of each round says it for the round."""
    governing = [read_round(casino, each).rules_in_force for each in (*rounds[:1], *rounds[-1:])]
    return {
        str(rules.version) if rules else "": judge_later_void(rules.pack, DAMAGED_DICE) if rules else None
        for rules in governing
    }


def effect_sentences(judged: Mapping[str, LaterVoid | None], rounds: str) -> list[str]:
    """With the version named where there are several."""
    texts = (
        (version, NO_RULES if each is None else later_void_text(each, DAMAGED_DICE, rounds))
        for version, each in judged.items()
    )
    return [text if len(judged) == 1 else f"{version or 'Without approved rules'}: {text}" for version, text in texts]


def candidate_rounds(casino: Casino, table: FloorTable, since: datetime, until: datetime) -> list[LogEntry]:
    """Rounds of the table recorded in that period, oldest first."""
    found: list[LogEntry] = []
    before: int | None = None
    wanted = EntryQuery(table=table.slug, kind=ROUND, since=since, until=until)
    while len(found) < MAX_CANDIDATES:
        page = search_entries(casino.slug, wanted, before=before, limit=SEARCH_PAGE_SIZE)
        found += page.entries
        if page.older is None:
            break
        before = page.older
    return sorted(found, key=lambda entry: entry.index)[:MAX_CANDIDATES]


def _rounds_with_dice(candidates: Sequence[LogEntry], typed: Mapping[str, Any]) -> list[int]:
    """Preselected rounds: those whose entries name these dice."""
    return [entry.index for entry in candidates if entry.line_body().get("dice_set") == typed["dice_set"]]


def _round_label(entry: LogEntry, casino: Casino, mark: Tag | str) -> SafeString:
    body = entry.line_body()
    faces = "-".join(map(str, body.get("dice") or ())) or "no result"
    return format_html(
        "Round {}: {}, {} wagers, dice {}, {} {}",
        body.get("round", entry.index),
        faces,
        len(body.get("wagers", ())),
        body.get("dice_set") or "not named",
        local(entry.recorded_at, casino),
        tag(mark) if isinstance(mark, Tag) else "",
    )
