"""One's own account: roles held, second factor, last sign-ins, sign out everywhere."""

from django import forms
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from compliance.accounts.models import User
from compliance.accounts.requests import PersonRequest
from compliance.accounts.second_factor import FEW_RECOVERY_CODES, recovery_codes_left
from compliance.accounts.selectors import last_sign_ins
from compliance.accounts.services import sign_out_everywhere
from compliance.accounts.views.identity_rows import own_identity_rows
from compliance.accounts.views.steps import Act, act_page, posted
from compliance.web.access import signed_in
from compliance.web.components import Column, Kind, SummaryList, SummaryRow, Table, Tag
from compliance.web.templatetags.kit import local


@signed_in
@never_cache
@require_safe
def account(request: PersonRequest) -> HttpResponse:
    context = {"summary": _summary(request.user), "roles": _roles(request.user), "sign_ins": _sign_ins(request.user)}
    return render(request, "accounts/account.html", context)


def _summary(user: User) -> SummaryList:
    rows = [
        SummaryRow("Name", user.name),
        SummaryRow("E-mail address", user.email),
        SummaryRow("Password", "Set", reverse("accounts:change-password")),
    ]
    if not user.has_second_factor:
        missing = Tag("Missing", "danger" if user.needs_second_factor else "neutral")
        factor = SummaryRow("Second factor", missing, reverse("accounts:enrol"), "Set up")
        return SummaryList([*rows, factor, *own_identity_rows(user, _zone(user), timezone.now())])
    left = recovery_codes_left(user)
    kind: Kind = "warning" if left <= FEW_RECOVERY_CODES else "neutral"
    return SummaryList(
        [
            *rows,
            SummaryRow("Second factor", Tag("Set up", "success"), reverse("accounts:replace"), "Move"),
            SummaryRow("Recovery codes", Tag(f"{left} left", kind), reverse("accounts:new-codes"), "Replace"),
            *own_identity_rows(user, _zone(user), timezone.now()),
        ]
    )


def _roles(user: User) -> Table:
    return Table(
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


def _sign_ins(user: User) -> Table:
    return Table(
        caption="Last sign-ins and failed attempts",
        columns=(
            Column("When", lambda event: local(event.at, _zone(user)), is_row_heading=True),
            Column("What", lambda event: format_html("{} {}", event.get_kind_display(), event.detail)),
            Column("From", "address"),
        ),
        rows=last_sign_ins(user),
        empty="Nothing yet.",
        name="sign-ins",
    )


def _zone(user: User) -> str:
    return next((held.casino.time_zone for held in user.roles_now()), "UTC")


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def everywhere(request: PersonRequest) -> HttpResponse:
    def do() -> None:
        sign_out_everywhere(actor=request.user, now=timezone.now())
        logout(request)

    act = Act(
        title="Sign out everywhere",
        consequences=("Every browser that is signed in as you is signed out at once, this one included.",),
        submit="Sign out everywhere",
        back=reverse("accounts:account"),
        back_label="Your account",
        done="You are signed out everywhere.",
    )
    return act_page(request, act, forms.Form(posted(request)), do, then=reverse("accounts:sign-in"))
