"""Invitations: administrators send, repeat and withdraw them; whoever was invited accepts by the link."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from compliance.accounts.forms import AcceptForm, InviteForm
from compliance.accounts.letters import send_invitation
from compliance.accounts.middleware import ask_for_the_rest
from compliance.accounts.models import Invitation, User
from compliance.accounts.requests import CasinoRequest
from compliance.accounts.selectors import access_invitation
from compliance.accounts.services import (
    Invited,
    accept_as_known_person,
    accept_as_new_person,
    invite_person,
    send_invitation_again,
    withdraw_invitation,
)
from compliance.accounts.services.invitations import find_invitation
from compliance.accounts.views.acts import asks_first
from compliance.accounts.views.people import address_of, administrators
from compliance.accounts.views.steps import Act, act_page, begin_session, posted, site_of
from compliance.web.access import public
from compliance.web.components import Column, Kind, Table, Tag
from compliance.web.errors import Refusal
from compliance.web.templatetags.kit import local

STATE_KINDS: dict[str, Kind] = {"waiting": "info", "expired": "warning", "accepted": "success", "withdrawn": "neutral"}


def _deliver(request: HttpRequest, invited: Invited) -> None:
    if send_invitation(invited, site_of(request)):
        messages.success(request, f"The invitation was sent to {invited.invitation.email}.")
    else:
        messages.error(
            request, "The invitation is recorded, but the e-mail could not be sent. Send it again in a few minutes."
        )


@administrators
@never_cache
@asks_first
def invite(request: CasinoRequest, casino: str) -> HttpResponse:
    form = InviteForm(posted(request), request=request)

    def do() -> None:
        typed = form.cleaned_data
        invited = invite_person(
            email=typed["email"], name=typed["name"], casino=request.casino, role=typed["role"],
            actor=request.user, now=timezone.now(),
        )  # fmt: skip
        _deliver(request, invited)

    act = Act(
        title=f"Invite somebody to {request.casino}",
        consequences=("They get an e-mail with a link that works for seven days.",),
        submit="Send invitation",
        back=address_of("people", request.casino),
        back_label="People",
    )
    return act_page(request, act, form, do, then=address_of("invitations", request.casino))


@administrators
@never_cache
@require_safe
def invitations(request: CasinoRequest, casino: str) -> HttpResponse:
    now = timezone.now()

    def state(invitation: Invitation) -> Tag:
        word = invitation.state(now)
        return Tag(word.capitalize(), STATE_KINDS[word])

    table = Table(
        caption=f"Invitations to {request.casino}",
        columns=(
            Column("Name", lambda row: format_html("{}<br>{}", row.name, row.email), sort="name", is_row_heading=True),
            Column("Role", lambda invitation: invitation.get_role_display(), sort="role"),
            Column("State", state),
            Column("Runs out", lambda invitation: local(invitation.expires_at, request.casino), sort="expires_at"),
            Column("Action", _links),
        ),
        rows=Invitation.objects.filter(casino=request.casino).select_related("casino"),
        query=request.GET,
        sort="-expires_at",
        empty="Nobody has been invited yet.",
    )
    return render(request, "accounts/invitations.html", {"casino": request.casino, "table": table})


def _links(invitation: Invitation) -> str:
    """What can still be done; the hidden words tell one row's links from another's."""
    if invitation.accepted_at or invitation.withdrawn_at:
        return ""
    places = [address_of(name, invitation.casino, invitation=invitation.pk) for name in ("invite-again", "withdraw")]
    return format_html(
        '<a href="{0}">Send again<span class="visually-hidden"> to {2}</span></a> · '
        '<a href="{1}">Withdraw<span class="visually-hidden"> the invitation of {2}</span></a>',
        *places,
        invitation.name,
    )


@administrators
@never_cache
@asks_first
def again(request: CasinoRequest, casino: str, invitation: int) -> HttpResponse:
    found = access_invitation(request.user, request.casino, invitation)
    act = Act(
        title=f"Send the invitation to {found.name} again",
        consequences=(
            f"{found.email} gets a new link that works for seven days.",
            "The link sent before stops working.",
        ),
        submit="Send again",
        back=address_of("invitations", request.casino),
        back_label="Invitations",
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: _deliver(
            request, send_invitation_again(invitation=found, actor=request.user, now=timezone.now())
        ),
    )  # fmt: skip


@administrators
@never_cache
@asks_first
def withdraw(request: CasinoRequest, casino: str, invitation: int) -> HttpResponse:
    found = access_invitation(request.user, request.casino, invitation)
    act = Act(
        title=f"Withdraw the invitation to {found.name}",
        consequences=("The link stops working. They are not told.",),
        submit="Withdraw invitation",
        back=address_of("invitations", request.casino),
        back_label="Invitations",
        done="The invitation was withdrawn.",
        is_danger=True,
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: withdraw_invitation(invitation=found, actor=request.user, now=timezone.now()),
    )  # fmt: skip


@public
@never_cache
@sensitive_post_parameters("new_password", "new_password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """The link is the proof of the mailbox. A new person sets a password; a known one signs in and agrees."""
    invitation = find_invitation(token)
    if invitation is None:
        raise Http404
    if invitation.state(timezone.now()) != "waiting":
        return render(request, "accounts/invitation-closed.html", {"invitation": invitation}, status=410)
    if isinstance(request.user, User):
        return _accept_signed_in(request, request.user, invitation)
    if User.objects.filter(email=invitation.email).exists():
        sign_in = f"{reverse('accounts:sign-in')}?next={request.path}"
        return render(request, "accounts/accept-known.html", {"invitation": invitation, "sign_in": sign_in})
    return _accept_new(request, invitation)


def _accept_new(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    newcomer = User(email=invitation.email, name=invitation.name)
    form = AcceptForm(posted(request), owner=newcomer, initial={"name": invitation.name})
    if request.method == "POST" and form.is_valid():
        now, typed = timezone.now(), form.cleaned_data
        try:
            person = accept_as_new_person(
                invitation=invitation, name=typed["name"], password=typed["new_password"], now=now
            )
        except Refusal as refusal:
            form.add_error(None, refusal.words)
        else:
            messages.success(request, f"Welcome. Your role at {invitation.casino}: {invitation.get_role_display()}.")
            return begin_session(request, person, now)
    return render(request, "accounts/accept-new.html", {"invitation": invitation, "form": form})


def _accept_signed_in(request: HttpRequest, person: User, invitation: Invitation) -> HttpResponse:
    if unfinished := ask_for_the_rest(request, person):
        return unfinished
    if person.email != invitation.email:
        return render(request, "accounts/accept-other.html", {"invitation": invitation}, status=409)
    act = Act(
        title=f"Your invitation to {invitation.casino}",
        consequences=(f"You hold the role {invitation.get_role_display()} from now on, as {person.name}.",),
        submit="Accept",
        back=reverse("desk:home"),
        back_label="Home",
        done=f"Your role at {invitation.casino}: {invitation.get_role_display()}.",
    )
    return act_page(
        request, act, forms.Form(posted(request)),
        lambda: accept_as_known_person(invitation=invitation, actor=person, now=timezone.now()),
    )  # fmt: skip
