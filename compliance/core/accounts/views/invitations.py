"""Invitations: administrators send, repeat and withdraw them; the invited person accepts by the link."""

from django import forms
from django.contrib import messages
from django.db.models import OuterRef, Subquery
from django.db.models.fields.json import KT
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from compliance.core.accounts.auth.middleware import require_complete_sign_in
from compliance.core.accounts.emails import INVITATION
from compliance.core.accounts.forms import AcceptInvitationForm, InviteForm
from compliance.core.accounts.models import Invitation, User
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.accounts.selectors import access_invitation
from compliance.core.accounts.services import (
    accept_as_known_person,
    accept_as_new_person,
    invite_person,
    send_invitation_again,
    withdraw_invitation,
)
from compliance.core.accounts.services.invitations import find_invitation
from compliance.core.accounts.views.confirm import confirm_account_page
from compliance.core.accounts.views.login_session import request_base_url, start_session
from compliance.core.accounts.views.people import administrators_only
from compliance.core.web.access import public
from compliance.core.web.errors import Refusal
from compliance.core.web.models import OutgoingEmail, email_state_tag
from compliance.core.web.ui.cell_values import Lines
from compliance.core.web.ui.components import Column, DataTable, Tag, TagKind
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data
from compliance.core.web.ui.links import casino_url
from compliance.core.web.ui.list_response import ListResponse, list_response

STATE_TAG_KINDS: dict[str, TagKind] = {
    "waiting": "info",
    "expired": "warning",
    "accepted": "success",
    "withdrawn": "neutral",
}


@administrators_only
@allow_get_post
def invite(request: CasinoRequest, casino: str) -> HttpResponse:
    form = InviteForm(bound_data(request), request=request)

    def invite_and_send() -> None:
        typed = form.cleaned_data
        invite_person(
            email=typed["email"],
            name=typed["name"],
            casino=request.casino,
            role=typed["role"],
            actor=request.user,
            now=timezone.now(),
            site=request_base_url(request),
        )

    act = ConfirmPage(
        title=f"Invite somebody to {request.casino}",
        consequences=("They get an e-mail with a link that works for seven days.",),
        submit="Send invitation",
        back=casino_url("accounts:people", request.casino),
        back_label="People",
        done="The invitation is recorded. This list shows when its e-mail is sent.",
    )
    return confirm_account_page(
        request, act, form, invite_and_send, redirect_to=casino_url("accounts:invitations", request.casino)
    )


@administrators_only
@require_safe
def list_invitations(request: CasinoRequest, casino: str) -> ListResponse:
    now = timezone.now()

    def state_tag(invitation: Invitation) -> Tag:
        word = invitation.state(now)
        return Tag(word.capitalize(), STATE_TAG_KINDS[word])

    emails = OutgoingEmail.objects.filter(purpose=INVITATION).annotate(token_sha256=KT("reference__token_sha256"))
    emails = emails.filter(token_sha256=OuterRef("token_sha256"))
    table = DataTable(
        caption=f"Invitations to {request.casino}",
        columns=(
            Column("Name", lambda row: Lines(row.name, row.email), sort="name", is_row_heading=True),
            Column("Role", lambda invitation: invitation.get_role_display(), sort="role"),
            Column("State", state_tag),
            Column("E-mail", lambda row: email_state_tag(row.email_state) if row.email_state else ""),
            Column("Runs out", "expires_at", sort="expires_at"),
            Column("Action", _action_links, is_control=True),
        ),
        rows=Invitation.objects.filter(casino=request.casino)
        .select_related("casino")
        .annotate(email_state=Subquery(emails.values("state")[:1])),
        sort="-expires_at",
        empty="Nobody has been invited yet.",
    )
    return list_response(request, "accounts/invitations.html", {"table": table})


def _action_links(invitation: Invitation) -> str:
    """Links to resend and withdraw; hidden text tells screen readers the links of the rows apart."""
    if invitation.accepted_at or invitation.withdrawn_at:
        return ""
    places = [
        casino_url(f"accounts:{name}", invitation.casino, invitation=invitation.pk)
        for name in ("invite-again", "withdraw")
    ]
    return format_html(
        '<a href="{0}">Send again<span class="visually-hidden"> to {2}</span></a> · '
        '<a href="{1}">Withdraw<span class="visually-hidden"> the invitation of {2}</span></a>',
        *places,
        invitation.name,
    )


@administrators_only
@allow_get_post
def resend_invitation(request: CasinoRequest, casino: str, invitation: int) -> HttpResponse:
    found = access_invitation(request.user, request.casino, invitation)
    act = ConfirmPage(
        title=f"Send the invitation to {found.name} again",
        consequences=(
            f"{found.email} gets a new link that works for seven days.",
            "The link sent before stops working.",
        ),
        submit="Send again",
        back=casino_url("accounts:invitations", request.casino),
        back_label="Invitations",
        done="A new link is recorded. This list shows when its e-mail is sent.",
    )
    return confirm_account_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: send_invitation_again(
            invitation=found, actor=request.user, now=timezone.now(), site=request_base_url(request)
        ),
    )


@administrators_only
@allow_get_post
def withdraw_page(request: CasinoRequest, casino: str, invitation: int) -> HttpResponse:
    found = access_invitation(request.user, request.casino, invitation)
    act = ConfirmPage(
        title=f"Withdraw the invitation to {found.name}",
        consequences=("The link stops working. They are not told.",),
        submit="Withdraw invitation",
        back=casino_url("accounts:invitations", request.casino),
        back_label="Invitations",
        done="The invitation was withdrawn.",
        is_danger=True,
    )
    return confirm_account_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: withdraw_invitation(invitation=found, actor=request.user, now=timezone.now()),
    )


@public
@sensitive_post_parameters("new_password", "new_password_again")
@require_http_methods(["GET", "HEAD", "POST"])
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The link proves access to the mailbox. A new person sets a password; a known one signs in and confirms."""
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
    return _accept_as_new_person(request, invitation)


def _accept_as_new_person(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    newcomer = User(email=invitation.email, name=invitation.name)
    form = AcceptInvitationForm(bound_data(request), owner=newcomer, initial={"name": invitation.name})
    if request.method == "POST" and form.is_valid():
        now, typed = timezone.now(), form.cleaned_data
        try:
            person = accept_as_new_person(
                invitation=invitation, name=typed["name"], password=typed["new_password"], now=now
            )
        except Refusal as refusal:
            form.add_error(None, refusal.full_message)
        else:
            messages.success(request, f"Welcome. Your role at {invitation.casino}: {invitation.get_role_display()}.")
            return start_session(request, person, now)
    return render(request, "accounts/accept-new.html", {"invitation": invitation, "form": form})


def _accept_signed_in(request: HttpRequest, person: User, invitation: Invitation) -> HttpResponse:
    if unfinished := require_complete_sign_in(request, person):
        return unfinished
    if person.email != invitation.email:
        return render(request, "accounts/accept-other.html", {"invitation": invitation}, status=409)
    act = ConfirmPage(
        title=f"Your invitation to {invitation.casino}",
        consequences=(f"You hold the role {invitation.get_role_display()} from now on, as {person.name}.",),
        submit="Accept",
        back=reverse("desk:home"),
        back_label="Home",
        done=f"Your role at {invitation.casino}: {invitation.get_role_display()}.",
    )
    return confirm_account_page(
        request,
        act,
        forms.Form(bound_data(request)),
        lambda: accept_as_known_person(invitation=invitation, actor=person, now=timezone.now()),
    )
