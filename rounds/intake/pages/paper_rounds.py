"""Pages of rounds from paper: the list, entering a round, and confirming or refusing it as a second person."""

from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.separation import is_other_person
from compliance.core.corrections.list_marks import CorrectionMarks
from compliance.core.corrections.selectors import record_lines
from compliance.core.web.access import require_roles
from compliance.core.web.errors import Refusal
from compliance.core.web.templatetags.ui import dice, local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, TagKind
from compliance.core.web.ui.confirm_page import ConfirmPage, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import Prediction, carry_out
from compliance.core.web.ui.record_notes import ListNotes, RecordNotes, record_notes
from rounds.floor.permissions import MAY_READ
from rounds.intake.models import PaperRound, PaperState
from rounds.intake.pages.forms import RefusePaperRoundForm
from rounds.intake.pages.paper_form import PaperRoundForm
from rounds.intake.pages.paper_wager_rows import ORDINARY, STREAK, RowKind
from rounds.intake.permissions import MAY_ENTER_PAPER
from rounds.intake.protocol.round import Round, Wager
from rounds.intake.round_view import read_round
from rounds.intake.selectors import access_paper_round, casino_paper_rounds
from rounds.intake.services.paper_rounds import (
    confirm_paper_round,
    enter_paper_round,
    plan_paper_round,
    refuse_paper_round,
)
from rounds.ledger import entry_at
from rounds.rulebook.labels import bet_label, void_reason_label

readers_only = require_roles(*MAY_READ)
supervisors_only = require_roles(*MAY_ENTER_PAPER)
STATE_TAG_KINDS: dict[str, TagKind] = {
    PaperState.ENTERED: "warning",
    PaperState.CONFIRMED: "success",
    PaperState.REFUSED: "neutral",
}
STATE_LABELS = {PaperState.ENTERED: "Waiting", PaperState.CONFIRMED: "Confirmed", PaperState.REFUSED: "Refused"}
VERDICT_LABELS = {"open": "Running", "win": "Won", "lose": "Lost", "void": "Void", "refused": "Not accepted"}


def state_tag(paper: PaperRound) -> Tag:
    return Tag(STATE_LABELS[PaperState(paper.state)], STATE_TAG_KINDS[paper.state])


@readers_only
@require_safe
def paper_rounds(request: CasinoRequest, casino: str) -> ListResponse:
    notes = ListNotes(request, lambda paper: [paper.entry_index])
    marks = CorrectionMarks(request.casino, also_read=notes.read)
    table = DataTable(
        caption=f"Rounds from paper at {request.casino}",
        columns=(
            Column(
                "Played",
                "played_at",
                sort="played_at",
                is_row_heading=True,
                link=lambda paper: casino_url("intake:paper-round", request.casino, paper=paper.pk),
            ),
            Column("Table", "table.name", sort="table__name"),
            Column("Entered by", "entered_by.name"),
            Column("State", lambda paper: notes.tag(paper, state_tag(paper)), sort="state"),
            marks.column,
        ),
        rows=casino_paper_rounds(request.casino),
        prepare=marks.read,
        sort="-played_at",
        empty="No round was entered from paper.",
    )
    may_enter = request.user.has_role(*MAY_ENTER_PAPER, casino=request.casino)
    return list_response(request, "intake/paper-rounds.html", {"table": table, "may_enter": may_enter})


@supervisors_only
@require_http_methods(["GET", "HEAD", "POST"])
def enter_round(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()
    # The "more rows" buttons redisplay the form with its values but without validation.
    wants_rows = any(_wants_more_rows(request, kind) for kind in (ORDINARY, STREAK))
    form = PaperRoundForm(
        None if wants_rows else bound_data(request),
        initial=_posted_values(request) if wants_rows else None,
        casino=request.casino,
        rows=_row_count(request, ORDINARY),
        streak_rows=_row_count(request, STREAK),
        now=now,
    )
    if request.method == "POST" and form.is_bound and form.is_valid():
        typed = form.cleaned_data
        enter = {
            "table": typed["table"],
            "played": form.played,
            "played_at": typed["bets_open_at"],
            "why": typed["why"],
            "actor": request.user,
            "now": now,
        }
        try:
            paper = carry_out(
                request,
                form,
                lambda: enter_paper_round(**enter, **_confirmed_warning(form)),
                plan=lambda: plan_paper_round(**enter),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, "The round is entered. It counts once a second person has confirmed it.")
            return redirect(casino_url("intake:paper-round", request.casino, paper=paper.pk))
    return render(request, "intake/paper-enter.html", {"casino": request.casino, "form": form})


def _confirmed_warning(form: PaperRoundForm) -> dict[str, Any]:
    """What the person was warned of and confirmed. There is no entry yet to which it could be attached."""
    prediction: Prediction | None = getattr(form, "prediction", None)
    if not prediction or not prediction.is_warning:
        return {}
    warnings = [*(each.sentence for each in prediction.findings), *prediction.doubts]
    return {"warnings": warnings, "warning_reason": vars(form)["confirm_reason"]}


def _wants_more_rows(request: HttpRequest, kind: RowKind) -> bool:
    return f"more-{kind.name}" in request.POST


def _row_count(request: HttpRequest, kind: RowKind) -> int:
    posted = request.POST.get(f"rows-{kind.name}", "")
    rows = int(posted) if posted.isascii() and posted.isdigit() and len(posted) < 4 else kind.at_first
    return max(1, min(rows + kind.more * _wants_more_rows(request, kind), kind.most))


def _posted_values(request: HttpRequest) -> dict[str, str]:
    return {name: str(value) for name, value in request.POST.items()}


@readers_only
@require_safe
def paper_round(request: CasinoRequest, casino: str, paper: int) -> HttpResponse:
    found = access_paper_round(request.user, request.casino, paper)
    played = msgspec.json.decode(found.body, type=Round)
    may_enter = request.user.has_role(*MAY_ENTER_PAPER, casino=request.casino)
    entry = None if found.entry_index is None else entry_at(casino, found.entry_index)
    read = read_round(request.casino, entry) if entry else None
    notes = record_notes(request, [found.entry_index], void=read.void_label if read else "")
    context = {
        "casino": request.casino,
        "paper": found,
        "notes": notes,
        "round": read,
        "summary": _summary(found, played, notes),
        "wagers": _wager_table(played),
        "is_waiting": found.state == PaperState.ENTERED,
        "may_decide": may_enter and is_other_person(request.user, found.entered_by_id),
        "corrections": record_lines(
            request.user, request.casino, [] if found.entry_index is None else [found.entry_index]
        ),
    }
    return render(request, "intake/paper-round.html", context)


def _summary(paper: PaperRound, played: Round, notes: RecordNotes) -> SummaryList:
    faces = played.dice or played.cards
    rows = [
        SummaryRow("State", notes.tag(state_tag(paper))),
        SummaryRow("Table", paper.table.name),
        SummaryRow("Number of the round", played.round),
        SummaryRow("Gaming day", f"{played.gaming_day:%d %b %Y}"),
        *(
            SummaryRow(event.name.replace("-", " ").capitalize(), local(event.at, paper.casino))
            for event in played.events
        ),
        SummaryRow(
            "Result",
            dice(faces) if faces else f"None: {void_reason_label(played.no_result.reason) if played.no_result else ''}",
        ),
        SummaryRow("Why on paper", paper.why),
        SummaryRow("Entered by", f"{paper.entered_by.name}"),
        SummaryRow("Entered", local(paper.entered_at, paper.casino)),
    ]
    if paper.warnings:
        rows += [
            SummaryRow("Warned of when it was entered", " ".join(paper.warnings)),
            SummaryRow("Reason for entering it", paper.warning_reason),
        ]
    if paper.decided_by:
        rows += [
            SummaryRow("Decided by", paper.decided_by.name),
            SummaryRow("Decided", local(paper.decided_at, paper.casino)),
        ]
    if paper.reason:
        rows.append(SummaryRow("Why it was refused", paper.reason))
    if paper.entry_index is not None:
        href = casino_url("desk:round", paper.casino, index=paper.entry_index)
        rows.append(SummaryRow("Entry of the ledger", f"{paper.casino.slug}, {paper.entry_index}", href, "The round"))
    return SummaryList(rows)


def _wager_table(played: Round) -> DataTable:
    def bet_cell(wager: Wager) -> str:
        return bet_label(wager.bet)

    return DataTable(
        caption="Wagers",
        columns=(
            Column("Seat", "seat", is_figure=True, is_row_heading=True),
            Column("Number", "id"),
            Column("Bet", bet_cell),
            Column("Stake", "stake", is_money=True),
            Column("Outcome", lambda wager: VERDICT_LABELS[wager.verdict]),
            Column("Returned", lambda wager: "" if wager.returned is None else wager.returned, is_money=True),
        ),
        rows=played.wagers,
        page_size=200,
        empty="No wagers.",
    )


@supervisors_only
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: CasinoRequest, casino: str, paper: int) -> HttpResponse:
    found = access_paper_round(request.user, request.casino, paper)
    act = ConfirmPage(
        title="Confirm this round",
        consequences=(
            "You have compared every answer with the paper.",
            "The round becomes an entry of the ledger, with your name as the second person. To correct it, it is "
            "withdrawn with a reason and entered anew.",
        ),
        submit="Confirm the round",
        back=casino_url("intake:paper-round", request.casino, paper=found.pk),
        back_label="The round",
        done="The round is recorded.",
    )
    return confirm_page(
        request,
        act,
        ReauthenticateForm(bound_data(request), request=request),
        lambda: confirm_paper_round(paper=found, actor=request.user, now=timezone.now()),
    )


@supervisors_only
@require_http_methods(["GET", "HEAD", "POST"])
def refuse(request: CasinoRequest, casino: str, paper: int) -> HttpResponse:
    found = access_paper_round(request.user, request.casino, paper)
    form = RefusePaperRoundForm(bound_data(request))
    act = ConfirmPage(
        title="Refuse this round",
        consequences=("It is kept as refused and never recorded. The right one can be entered anew.",),
        submit="Refuse the round",
        back=casino_url("intake:paper-round", request.casino, paper=found.pk),
        back_label="The round",
        done="The round is refused.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: refuse_paper_round(
            paper=found, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )
