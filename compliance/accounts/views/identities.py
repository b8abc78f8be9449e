"""Single sign-on of one account: its person links and removes it, an administrator offers and removes it."""

from django.contrib.auth import logout
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from compliance.accounts.middleware import ask_for_code
from compliance.accounts.requests import CasinoRequest, PersonRequest
from compliance.accounts.selectors import access_link, access_person
from compliance.accounts.services import link_identity, offer_identity, remove_identity
from compliance.accounts.sign_off import SignOffForm
from compliance.accounts.single_sign_on.errors import NothingToLink
from compliance.accounts.single_sign_on.providers import Provider, find_provider
from compliance.accounts.single_sign_on.waiting import CAME_BY, Found, forget_found, found_in
from compliance.accounts.views.acts import act_on, asks_first
from compliance.accounts.views.people import administrators
from compliance.accounts.views.single_sign_on import access_provider
from compliance.accounts.views.steps import Act, act_page, note_sign_in, posted
from compliance.web.access import passing, signed_in


@passing
@never_cache
@asks_first
def link(request: PersonRequest) -> HttpResponse:
    """The provider said who somebody is there; now they prove that the account here is theirs too."""
    if unfinished := ask_for_code(request, request.user):
        return unfinished
    found = found_in(request, timezone.now())
    provider = find_provider(found.provider) if found else None
    if found is None or provider is None:
        raise NothingToLink
    form = SignOffForm(posted(request), request=request)
    return act_page(
        request, _linking(request, provider, found), form, lambda: _link(request, provider, found), then=found.then
    )


def _linking(request: PersonRequest, provider: Provider, found: Found) -> Act:
    return Act(
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


def _link(request: PersonRequest, provider: Provider, found: Found) -> None:
    now, was_held_back = timezone.now(), request.is_held_back
    link_identity(actor=request.user, provider=provider, found=found, now=now)
    forget_found(request)
    request.session[CAME_BY] = provider.slug
    request.session.cycle_key()
    if was_held_back:
        note_sign_in(request, request.user, now)


@signed_in
@never_cache
@asks_first
def remove_own(request: PersonRequest, link: int) -> HttpResponse:
    held = access_link(request.user, link)

    def do() -> None:
        remove_identity(link=held, casino=None, actor=request.user, now=timezone.now())
        logout(request)

    act = Act(
        title=f"Remove sign-in by {_name(held.provider, held.issuer)}",
        consequences=("You can no longer sign in that way.", "You are signed out everywhere, this browser included."),
        submit="Remove and sign out",
        back=reverse("accounts:account"),
        back_label="Your account",
        done="It was removed. Sign in with your password.",
        is_danger=True,
    )
    form = SignOffForm(posted(request), request=request)
    return act_page(request, act, form, do, then=reverse("accounts:sign-in"))


@administrators
@never_cache
@asks_first
def offer(request: CasinoRequest, casino: str, person: int, provider: str) -> HttpResponse:
    subject, offered = access_person(request.user, request.casino, person), access_provider(provider)
    act = act_on(
        request, subject, f"Offer {subject} sign-in by {offered}",
        f"For seven days {subject} can link whatever identity they sign in with there, whatever e-mail address it has.",
        "They prove by password and code that the account is theirs. Nobody needs an offer whose e-mail address "
        f"{offered} confirms and is {subject.email}.",
        submit="Offer", done=f"{subject} can link it on their account page for seven days.",
    )  # fmt: skip
    return act_page(
        request, act, SignOffForm(posted(request), request=request),
        lambda: offer_identity(
            subject=subject, provider=offered, casino=request.casino, actor=request.user, now=timezone.now()
        ),
    )  # fmt: skip


@administrators
@never_cache
@asks_first
def remove(request: CasinoRequest, casino: str, person: int, link: int) -> HttpResponse:
    subject = access_person(request.user, request.casino, person)
    held = access_link(subject, link)
    act = act_on(
        request, subject, f"Remove sign-in by {_name(held.provider, held.issuer)} for {subject}",
        f"{subject} is signed out everywhere and can no longer sign in that way.",
        "Their password and second factor stay as they are.",
        submit="Remove", done=f"{subject} can no longer sign in that way.", is_danger=True,
    )  # fmt: skip
    return act_page(
        request, act, SignOffForm(posted(request), request=request),
        lambda: remove_identity(link=held, casino=request.casino, actor=request.user, now=timezone.now()),
    )  # fmt: skip


def _name(slug: str, issuer: str) -> str:
    """A provider that is no longer set up is still known by its issuer."""
    provider = find_provider(slug)
    return provider.name if provider and provider.issuer == issuer else issuer
