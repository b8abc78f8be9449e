"""Pages for one player: limits of their own, and warnings about wagers under the minimum."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.corrections.selectors import newest_indexes, record_lines
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import Column, DataTable, Tag
from compliance.core.web.ui.confirm_page import ConfirmPage, add_refusal_error, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response
from compliance.core.web.ui.precheck import carry_out
from compliance.tables.limit_notices.forms import PlayerLimitForm, WarningForm
from compliance.tables.limit_notices.models import PlayerLimit, UnderMinimumWarning
from compliance.tables.limit_notices.selectors import access_player_limit
from compliance.tables.limit_notices.services import end_player_limit, set_player_limit, warn_player
from compliance.tables.limit_notices.views.common import table_url
from compliance.tables.signs.permissions import SUPERVISORS
from compliance.tables.signs.presentation.text import format_amount
from compliance.tables.signs.selectors import clocks_of
from compliance.tables.signs.views.common import SignStatus, readers_only, supervisors_only
from rounds.floor.selectors import access_table, pack_for


@readers_only
@require_safe
def player_limits(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    rows = PlayerLimit.objects.filter(table=found).select_related("table", "sign__casino", "sign__table")
    clocks = clocks_of([row.sign for row in rows.filter(ended_at=None)], now)

    def state(row: PlayerLimit) -> Tag:
        return Tag("Ended") if row.ended_at else SignStatus(row.sign, clocks[row.sign_id], now).tag

    columns = (
        Column(
            "Player",
            lambda row: row.who,
            is_row_heading=True,
            link=lambda row: (
                casino_url("notices:end-player-limit", request.casino, limit=row.pk) if not row.ended_at else ""
            ),
        ),
        Column("Minimum", lambda row: format_amount(row.min_cents), is_figure=True),
        Column("Maximum", lambda row: format_amount(row.max_cents), is_figure=True),
        Column("Their sign", state),
        Column("Allowed", "allowed_at"),
        Column("By", "allowed_by_name"),
    )
    pack = pack_for(found, now)
    context = {
        "floor_table": found,
        "duty": pack.duties.player_limits if pack else None,
        "may_act": request.user.has_role(*SUPERVISORS, casino=request.casino),
        "back": table_url(request.casino, found.slug),
        "table": DataTable(
            caption="Limits of single players",
            columns=columns,
            rows=rows,
            empty="No player has limits of their own here.",
        ),
        "corrections": record_lines(
            request.user, request.casino, newest_indexes(PlayerLimit.recorded.filter(table=found))
        ),
    }
    return list_response(request, "limit_notices/player-limits.html", context)


@supervisors_only
@allow_get_post
def new_player_limit(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found = access_table(request.user, request.casino, table)
    form = PlayerLimitForm(bound_data(request))
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            carry_out(
                request,
                form,
                lambda: set_player_limit(
                    table=found,
                    player=typed["player"],
                    seat=typed["seat"],
                    min_cents=typed["min"],
                    max_cents=typed["max"],
                    actor=request.user,
                    now=timezone.now(),
                ),
            )
        except Refusal as refusal:
            add_refusal_error(form, refusal)
        else:
            return redirect(table_url(request.casino, found.slug))
    act = ConfirmPage(
        title=f"Limits for one player at {found}",
        consequences=(
            "A sign with this player’s own minimum and maximum must stand before them. Until it is up, the table’s "
            "limits hold for them too.",
            "Print it on A5, put it up, and confirm it with a tap.",
        ),
        submit="Allow",
        back=casino_url("notices:player-limits", request.casino, table=found.slug),
        back_label="Limits of single players",
    )
    return render(request, "components/confirm-page.html", {"act": act, "form": form})


@supervisors_only
@allow_get_post
def end_limit(request: CasinoRequest, casino: str, limit: int) -> HttpResponse:
    found = access_player_limit(request.user, request.casino, limit)
    act = ConfirmPage(
        title=f"End the limits of {found.who} at {found.table}",
        consequences=("From now on the table’s own limits hold for this player. Take their sign away.",),
        submit="End",
        back=casino_url("notices:player-limits", request.casino, table=found.table.slug),
        back_label="Limits of single players",
        done=f"The limits of {found.who} are ended.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: end_player_limit(limit=found, actor=request.user, now=timezone.now()),
    )


@readers_only
@require_safe
def warnings(request: CasinoRequest, casino: str, table: str) -> ListResponse:
    found = access_table(request.user, request.casino, table)
    pack = pack_for(found, timezone.now())
    rule = pack.law.settlement.under_minimum if pack else None
    columns = (
        Column("Player", lambda row: row.who, is_row_heading=True),
        Column("Told", "warned_at", sort="warned_at"),
        Column("Gaming day", "gaming_day", sort="gaming_day"),
        Column("Round", "round_name"),
        Column("By", "warned_by_name"),
    )
    context = {
        "floor_table": found,
        "rule": rule if rule and rule.settled == "once-then-returned" else None,
        "may_act": request.user.has_role(*SUPERVISORS, casino=request.casino),
        "back": table_url(request.casino, found.slug),
        "table": DataTable(
            caption="Warnings about wagers under the minimum",
            columns=columns,
            rows=UnderMinimumWarning.objects.filter(table=found),
            empty="Nobody was warned at this table.",
        ),
        "corrections": record_lines(
            request.user, request.casino, newest_indexes(UnderMinimumWarning.recorded.filter(table=found))
        ),
    }
    return list_response(request, "limit_notices/warnings.html", context)


@supervisors_only
@allow_get_post
def new_warning(request: CasinoRequest, casino: str, table: str) -> HttpResponse:
    found, now = access_table(request.user, request.casino, table), timezone.now()
    form = WarningForm(bound_data(request), casino=request.casino, initial={"warned_at": now})
    back = casino_url("notices:warnings", request.casino, table=found.slug)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            carry_out(
                request,
                form,
                lambda: warn_player(
                    table=found,
                    player=typed["player"],
                    seat=typed["seat"],
                    warned_at=typed["warned_at"],
                    round_name=typed["round_name"],
                    actor=request.user,
                    now=now,
                ),
            )
        except Refusal as refusal:
            add_refusal_error(form, refusal)
        else:
            return redirect(back)
    act = ConfirmPage(
        title=f"Record a warning at {found}",
        consequences=(
            "The wager under the minimum that led to it is settled as usual.",
            "Further ones of this player, at this table on this gaming day, are handed back whatever the result.",
        ),
        submit="Record",
        back=back,
        back_label="Warnings",
    )
    return render(request, "components/confirm-page.html", {"act": act, "form": form})
