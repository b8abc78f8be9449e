"""The own account: roles, second factor, last sign-ins, sign out everywhere."""

from django import forms
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.auth.second_factor import FEW_RECOVERY_CODES, count_recovery_codes_left
from compliance.core.accounts.models import User
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.accounts.selectors import last_sign_ins
from compliance.core.accounts.services import sign_out_everywhere
from compliance.core.accounts.views.confirm import confirm_account_page
from compliance.core.accounts.views.identity_rows import own_identity_rows
from compliance.core.web.access import signed_in
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import Column, DataTable, SummaryList, SummaryRow, Tag, TagKind
from compliance.core.web.ui.confirm_page import ConfirmPage, bound_data


@signed_in
@require_safe
def show_account(request: PersonRequest) -> HttpResponse:
    context = {
        "summary": _account_summary(request.user),
        "roles": _roles_table(request.user),
        "sign_ins": _sign_ins_table(request.user),
    }
    return render(request, "accounts/account.html", context)


def _account_summary(user: User) -> SummaryList:
    rows = [
        SummaryRow("Name", user.name),
        SummaryRow("E-mail address", user.email),
        SummaryRow("Password", "Set", reverse("accounts:change-password")),
    ]
    if not user.has_second_factor:
        missing = Tag("Missing", "danger" if user.needs_second_factor else "neutral")
        factor = SummaryRow("Second factor", missing, reverse("accounts:enrol"), "Set up")
        return SummaryList([*rows, factor, *own_identity_rows(user, _user_time_zone(user), timezone.now())])
    left = count_recovery_codes_left(user)
    kind: TagKind = "warning" if left <= FEW_RECOVERY_CODES else "neutral"
    return SummaryList(
        [
            *rows,
            SummaryRow("Second factor", Tag("Set up", "success"), reverse("accounts:replace"), "Move"),
            SummaryRow("Recovery codes", Tag(f"{left} left", kind), reverse("accounts:new-codes"), "Replace"),
            *own_identity_rows(user, _user_time_zone(user), timezone.now()),
        ]
    )


def _roles_table(user: User) -> DataTable:
    return DataTable(
        caption="Roles you hold",
        columns=(
            Column("Casino", "casino.name", is_row_heading=True),
            Column("Role", lambda held: held.get_role_display()),
            Column("Since", lambda held: local(held.given_at, held.casino)),
        ),
        rows=user.roles_now(),
        page_size=200,
        empty="You hold no role at any casino. An administrator of your casino can give you one.",
        name="roles",
    )


def _sign_ins_table(user: User) -> DataTable:
    return DataTable(
        caption="Last sign-ins and failed attempts",
        columns=(
            Column("When", "at", is_row_heading=True),
            Column("What", lambda event: format_html("{} {}", event.get_kind_display(), event.detail)),
            Column("From", "address"),
        ),
        rows=last_sign_ins(user),
        empty="Nothing yet.",
        name="sign-ins",
        place=_user_time_zone(user),
    )


def _user_time_zone(user: User) -> str:
    return next((held.casino.time_zone for held in user.roles_now()), "UTC")


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_sign_out_everywhere(request: PersonRequest) -> HttpResponse:
    def sign_out_all_sessions() -> None:
        sign_out_everywhere(actor=request.user, now=timezone.now())
        logout(request)

    act = ConfirmPage(
        title="Sign out everywhere",
        consequences=("Every browser that is signed in as you is signed out at once, this one included.",),
        submit="Sign out everywhere",
        back=reverse("accounts:account"),
        back_label="Your account",
        done="You are signed out everywhere.",
    )
    return confirm_account_page(
        request, act, forms.Form(bound_data(request)), sign_out_all_sessions, redirect_to=reverse("accounts:sign-in")
    )
