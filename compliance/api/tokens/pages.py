"""Pages: which systems read at a casino and who allowed it; make and revoke a token."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.api.models import TokenGrant
from compliance.api.tokens.forms import RevokeForm, TokenForm
from compliance.api.tokens.selectors import MAY_MAKE, MAY_SEE, access_grant, grants_at
from compliance.api.tokens.services import make_token, revoke_token
from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.views.casino_picker import choose_casino
from compliance.core.accounts.views.login_session import request_base_url
from compliance.core.web.access import require_roles
from compliance.core.web.errors import Refusal
from compliance.core.web.ui.components import Column, DataTable
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data, confirm_page
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response

token_viewers_only = require_roles(*MAY_SEE)
token_makers_only = require_roles(*MAY_MAKE)


@token_viewers_only
@require_safe
def casino_list(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request,
        MAY_SEE,
        lambda casino: casino_url("inspectorate:tokens", casino),
        title="Other systems",
        caption="Casinos whose records other systems may read",
    )


@token_viewers_only
@require_safe
def tokens(request: CasinoRequest, casino: str) -> ListResponse:
    may_make = request.user.has_role(*MAY_MAKE, casino=request.casino)
    table = DataTable(
        caption=f"Tokens that read at {request.casino}",
        columns=_token_columns(request.casino, may_make=may_make),
        rows=grants_at(request.casino),
        sort="-token__made_at",
        is_caption_hidden=True,
        empty="No other system may read here.",
    )
    return list_response(request, "api/tokens.html", {"table": table, "may_make": may_make})


def _token_columns(casino: Casino, *, may_make: bool) -> tuple[Column, ...]:
    now = timezone.now()

    def revoke_link(grant: TokenGrant) -> str:
        return (
            "" if grant.revocation or not may_make else casino_url("inspectorate:revoke", casino, token=grant.token_id)
        )

    return (
        Column("Token", lambda row: f"{row.token.name} ({row.token_id})", sort="token__name", is_row_heading=True),
        Column("State", lambda row: row.state(now)),
        Column("Change", lambda row: "Revoke" if revoke_link(row) else "", link=revoke_link, is_control=True),
        Column("Reads", lambda row: row.token.scope_labels),
        Column("Made by", lambda row: row.token.made_by_name, sort="token__made_by_name"),
        Column("Made", "token.made_at", sort="token__made_at"),
        Column("Expires", "token.expires_at", sort="token__expires_at"),
        Column("Last used", "token.last_used_at", sort="token__last_used_at"),
        Column("Revoked", _revocation_text),
    )


def _revocation_text(grant: TokenGrant) -> str:
    return f"By {grant.revocation.by_name}: {grant.revocation.reason}" if grant.revocation else ""


@token_makers_only
@allow_get_post
def new_token(request: CasinoRequest, casino: str) -> HttpResponse:
    """The secret is only in the response to the form: not in a URL, a cookie or a message."""
    form = TokenForm(bound_data(request), request=request, casino=request.casino)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            made = make_token(
                name=typed["name"],
                casinos=form.chosen_casinos(),
                scopes=typed["scopes"],
                days=typed["days"],
                actor=request.user,
                now=timezone.now(),
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            context = {
                "casino": request.casino,
                "made": made,
                "site": request_base_url(request),
                "first": typed["casinos"][0],
            }
            return render(request, "api/made.html", context)
    return render(request, "api/new.html", {"casino": request.casino, "form": form})


@token_makers_only
@allow_get_post
def revoke_token_page(request: CasinoRequest, casino: str, token: int) -> HttpResponse:
    grant = access_grant(request.user, request.casino, token)
    form = RevokeForm(bound_data(request), request=request)
    act = ConfirmPage(
        f"Revoke the token of {grant.token.name}",
        (
            "The system reads nothing more with it, here and at every other casino where you inspect.",
            "This cannot be undone. Make a new token if the system goes on.",
        ),
        submit="Revoke token",
        back=casino_url("inspectorate:tokens", request.casino),
        back_label="Other systems",
        done=f"The token of {grant.token.name} is revoked.",
        is_danger=True,
    )
    return confirm_page(
        request,
        act,
        form,
        lambda: revoke_token(
            token=grant.token, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )
