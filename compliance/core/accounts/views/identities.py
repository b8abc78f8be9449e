"""Single sign-on of an account: the person links and removes it, an administrator offers and removes it."""

from django.contrib.auth import logout
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from compliance.core.accounts.auth.middleware import require_second_factor
from compliance.core.accounts.auth.reauthenticate import ReauthenticateForm
from compliance.core.accounts.request_types import CasinoRequest, PersonRequest
from compliance.core.accounts.selectors import access_link, access_person
from compliance.core.accounts.services import link_identity, offer_identity, remove_identity
from compliance.core.accounts.sso.errors import NoIdentityToLink
from compliance.core.accounts.sso.providers import Provider, find_provider
from compliance.core.accounts.sso.session_state import (
    SIGNED_IN_BY_KEY,
    UnlinkedIdentity,
    discard_unlinked_identity,
    load_unlinked_identity,
)
from compliance.core.accounts.views.confirm import confirm_account_page
from compliance.core.accounts.views.login_session import record_complete_sign_in
from compliance.core.accounts.views.people import administrators_only
from compliance.core.accounts.views.person_actions import person_confirm_page
from compliance.core.accounts.views.single_sign_on import access_provider
from compliance.core.web.access import password_verified, signed_in
from compliance.core.web.ui.confirm_page import ConfirmPage, allow_get_post, bound_data


@password_verified
@allow_get_post
def confirm_link(request: PersonRequest) -> HttpResponse:
    """The provider has authenticated the person there; here they prove that the account is theirs."""
    if unfinished := require_second_factor(request, request.user):
        return unfinished
    found = load_unlinked_identity(request, timezone.now())
    provider = find_provider(found.provider) if found else None
    if found is None or provider is None:
        raise NoIdentityToLink
    form = ReauthenticateForm(bound_data(request), request=request)
    return confirm_account_page(
        request,
        _link_confirm_page(request, provider, found),
        form,
        lambda: _link_and_sign_in(request, provider, found),
        redirect_to=found.then,
    )


def _link_confirm_page(request: PersonRequest, provider: Provider, found: UnlinkedIdentity) -> ConfirmPage:
    return ConfirmPage(
        title=f"Link your account with {provider}",
        consequences=(
            f"Whoever signs in there as {found.email or 'you'} comes in here as {request.user.name}.",
            "Your roles stay as they are. To approve something you still give your password and a code here.",
            "It is recorded in the ledger, and you are told by e-mail.",
        ),
        submit="Link",
        back=reverse("accounts:account"),
        back_label="Your account",
        done=f"From now on you can sign in by {provider}.",
    )


def _link_and_sign_in(request: PersonRequest, provider: Provider, found: UnlinkedIdentity) -> None:
    now, was_held_back = timezone.now(), request.is_held_back
    link_identity(actor=request.user, provider=provider, found=found, now=now)
    discard_unlinked_identity(request)
    request.session[SIGNED_IN_BY_KEY] = provider.slug
    request.session.cycle_key()
    if was_held_back:
        record_complete_sign_in(request, request.user, now)


@signed_in
@allow_get_post
def remove_own_identity(request: PersonRequest, link: int) -> HttpResponse:
    held = access_link(request.user, link)

    def remove_and_report() -> None:
        remove_identity(link=held, casino=None, actor=request.user, now=timezone.now())
        logout(request)

    act = ConfirmPage(
        title=f"Remove sign-in by {_provider_name(held.provider, held.issuer)}",
        consequences=("You can no longer sign in that way.", "You are signed out everywhere, this browser included."),
        submit="Remove and sign out",
        back=reverse("accounts:account"),
        back_label="Your account",
        done="It was removed. Sign in with your password.",
        is_danger=True,
    )
    form = ReauthenticateForm(bound_data(request), request=request)
    return confirm_account_page(request, act, form, remove_and_report, redirect_to=reverse("accounts:sign-in"))


@administrators_only
@allow_get_post
def offer_link(request: CasinoRequest, casino: str, person: int, provider: str) -> HttpResponse:
    subject, offered = access_person(request.user, request.casino, person), access_provider(provider)
    act = person_confirm_page(
        request,
        subject,
        f"Offer {subject} sign-in by {offered}",
        f"For seven days {subject} can link whatever identity they sign in with there, whatever e-mail address it has.",
        "They prove by password and code that the account is theirs. Nobody needs an offer whose e-mail address "
        f"{offered} confirms and is {subject.email}.",
        submit="Offer",
        done=f"{subject} can link it on their account page for seven days.",
    )
    return confirm_account_page(
        request,
        act,
        ReauthenticateForm(bound_data(request), request=request),
        lambda: offer_identity(
            subject=subject, provider=offered, casino=request.casino, actor=request.user, now=timezone.now()
        ),
    )


@administrators_only
@allow_get_post
def remove_link(request: CasinoRequest, casino: str, person: int, link: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    held = access_link(subject, link)
    act = person_confirm_page(
        request,
        subject,
        f"Remove sign-in by {_provider_name(held.provider, held.issuer)} for {subject}",
        f"{subject} is signed out everywhere and can no longer sign in that way.",
        "Their password and second factor stay as they are.",
        submit="Remove",
        done=f"{subject} can no longer sign in that way.",
        is_danger=True,
    )
    return confirm_account_page(
        request,
        act,
        ReauthenticateForm(bound_data(request), request=request),
        lambda: remove_identity(link=held, casino=request.casino, actor=request.user, now=timezone.now()),
    )


def _provider_name(slug: str, issuer: str) -> str:
    """The issuer, if the provider is no longer configured."""
    provider = find_provider(slug)
    return provider.name if provider and provider.issuer == issuer else issuer
