"""Which other systems read at a casino, by whose leave; and making or revoking a token."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from compliance.accounts.models import Casino
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.choosing import choose_casino
from compliance.accounts.views.steps import Act, act_page, posted, site_of
from compliance.inspectorate.forms import RevokeForm, TokenForm
from compliance.inspectorate.models import TokenGrant
from compliance.inspectorate.selectors import MAY_MAKE, MAY_SEE, access_grant, grants_at
from compliance.inspectorate.services import make_token, revoke_token
from compliance.web.access import held_by
from compliance.web.components import Column, Table
from compliance.web.errors import Refusal
from compliance.web.templatetags.kit import local

seers = held_by(*MAY_SEE)
makers = held_by(*MAY_MAKE)


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"inspectorate:{name}", kwargs={"casino": casino.slug, **kwargs})


@seers
@require_safe
def casinos(request: PersonRequest) -> HttpResponse:
    return choose_casino(
        request, MAY_SEE, lambda casino: address_of("tokens", casino),
        title="Other systems", caption="Casinos whose records other systems may read",
    )  # fmt: skip


@seers
@never_cache
@require_safe
def tokens(request: CasinoRequest, casino: str) -> HttpResponse:
    may_make = request.user.holds(*MAY_MAKE, casino=request.casino)
    table = Table(
        caption=f"Tokens that read at {request.casino}",
        columns=_columns(request.casino, may_make=may_make),
        rows=grants_at(request.casino),
        query=request.GET,
        sort="-token__made_at",
        is_caption_hidden=True,
        empty="No other system may read here.",
    )
    return render(request, "inspectorate/tokens.html", {"casino": request.casino, "table": table, "may_make": may_make})


def _columns(casino: Casino, *, may_make: bool) -> tuple[Column, ...]:
    now = timezone.now()

    def revoking(grant: TokenGrant) -> str:
        return "" if grant.ended or not may_make else address_of("revoke", casino, token=grant.token_id)

    return (
        Column("Token", lambda row: f"{row.token.name} ({row.token_id})", sort="token__name", is_row_heading=True),
        Column("State", lambda row: row.state(now)),
        Column("Change", lambda row: "Revoke" if revoking(row) else "", link=revoking, is_control=True),
        Column("Reads", lambda row: row.token.scope_words),
        Column("Made by", lambda row: row.token.made_by_name, sort="token__made_by_name"),
        Column("Made", lambda row: local(row.token.made_at, casino), sort="token__made_at"),
        Column("Expires", lambda row: local(row.token.expires_at, casino), sort="token__expires_at"),
        Column("Last used", lambda row: local(row.token.last_used_at, casino), sort="token__last_used_at"),
        Column("Revoked", _revoked),
    )


def _revoked(grant: TokenGrant) -> str:
    return f"By {grant.ended.by_name}: {grant.ended.reason}" if grant.ended else ""


@makers
@never_cache
@asks_first
def new(request: CasinoRequest, casino: str) -> HttpResponse:
    """The token is on the answer to the form and nowhere else: not in an address, a cookie or a message."""
    form = TokenForm(posted(request), request=request, casino=request.casino)
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            made = make_token(
                name=typed["name"], casinos=form.chosen_casinos(), scopes=typed["scopes"], days=typed["days"],
                actor=request.user, now=timezone.now(),
            )  # fmt: skip
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            context = {"casino": request.casino, "made": made, "site": site_of(request), "first": typed["casinos"][0]}
            return render(request, "inspectorate/made.html", context)
    return render(request, "inspectorate/new.html", {"casino": request.casino, "form": form})


@makers
@never_cache
@asks_first
def revoke(request: CasinoRequest, casino: str, token: int) -> HttpResponse:
    grant = access_grant(request.user, request.casino, token)
    form = RevokeForm(posted(request), request=request)
    act = Act(
        f"Revoke the token of {grant.token.name}",
        ("The system reads nothing more with it, here and at every other casino where you inspect.",
         "This cannot be undone. Make a new token if the system goes on."),
        submit="Revoke token", back=address_of("tokens", request.casino), back_label="Other systems",
        done=f"The token of {grant.token.name} is revoked.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, form,
        lambda: revoke_token(
            token=grant.token, reason=form.cleaned_data["reason"], actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip
