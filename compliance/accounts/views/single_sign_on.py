"""Signing in by a provider: the way there, the way back, and out again. Nothing of the provider's is kept."""

import structlog
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_otp import login as otp_login
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.accounts.identity import client_address, count_refusal, is_locked
from compliance.accounts.identity_links import IdentityLink
from compliance.accounts.models import EventKind, User
from compliance.accounts.requests import PersonRequest
from compliance.accounts.single_sign_on.errors import (
    AccountClosed,
    NotItsPerson,
    SingleSignOnRefusal,
    SomebodyElse,
    WayBackUnknown,
)
from compliance.accounts.single_sign_on.providers import Identity, Provider, find_provider
from compliance.accounts.single_sign_on.required import provider_owed
from compliance.accounts.single_sign_on.waiting import Journey, keep_found, keep_journey, take_journey
from compliance.accounts.views.steps import go_on, let_in, open_session, safe_next, site_of
from compliance.web.access import passing, public
from compliance.web.throttle import count_request

logger = structlog.get_logger(__name__)

# From one address: a whole office may share one.
MOST_A_MINUTE = 60


def access_provider(slug: str) -> Provider:
    provider = find_provider(slug)
    if provider is None:
        raise Http404
    return provider


@public
@never_cache
@require_safe
def begin(request: HttpRequest, provider: str) -> HttpResponse:
    """By a link and not by a form: a strict content policy lets no form lead to another site."""
    # Here and below: a large library, which only those load who come this way.
    from compliance.accounts.single_sign_on.flow import begin_journey

    asked, now = access_provider(provider), timezone.now()
    count_request(client_address(request), now, what="single-sign-on", most=MOST_A_MINUTE)
    way_back = site_of(request) + reverse("accounts:end-journey", args=[asked.slug])
    address, state, journey = begin_journey(asked, way_back=way_back, then=safe_next(request), now=now)
    keep_journey(request, state, journey)
    return redirect(address)


@public
@never_cache
@require_safe
def back(request: HttpRequest, provider: str) -> HttpResponse:
    from compliance.accounts.single_sign_on.flow import end_journey

    asked, now = access_provider(provider), timezone.now()
    count_request(client_address(request), now, what="single-sign-on", most=MOST_A_MINUTE)
    journey = take_journey(request, request.GET.get("state", ""), asked.slug, now)
    if journey is None:
        raise WayBackUnknown
    try:
        identity = end_journey(asked, journey, request.GET, now)
    except SingleSignOnRefusal as refusal:
        # Never what came along: a code or a token has no place in a log.
        logger.warning("single_sign_on_refused", provider=asked.slug, code=refusal.code, cause=repr(refusal.__cause__))
        raise
    links = IdentityLink.objects.linked().select_related("user")
    link = links.filter(issuer=asked.issuer, subject=identity.subject).first()
    if link is None:
        keep_found(request, journey, identity, now)
        return _not_linked(request, asked, identity)
    return _receive(request, link.user, asked, journey, identity)


def _not_linked(request: HttpRequest, provider: Provider, identity: Identity) -> HttpResponse:
    """The same page whether or not there is such an account: a stranger learns nothing about who has one."""
    if isinstance(request.user, User):
        return redirect("accounts:link-identity")
    return render(request, "accounts/not-linked.html", {"provider": provider, "identity": identity}, status=403)


def _receive(
    request: HttpRequest, person: User, provider: Provider, journey: Journey, identity: Identity
) -> HttpResponse:
    """Somebody whom the provider knows and whom we know. Its second factor may open the door; it never signs."""
    now, here = timezone.now(), request.user
    if isinstance(here, User) and here != person:
        raise SomebodyElse
    refusal = _refusal_of(person, provider)
    if refusal is not None:
        count_refusal(request, user=person, kind=EventKind.SIGN_IN_FAILED, now=now)
    if refusal is not None or is_locked(request, person):
        raise refusal or SingleSignOnRefusal
    was_verified = isinstance(here, User) and here.is_verified()
    open_session(request, person, now, came_by=provider.slug)
    phone = TOTPDevice.objects.filter(user=person, confirmed=True).first()
    if identity.has_second_factor and phone is not None:
        # As if its code had been given. Somebody without a phone here sets one up first: approvals ask for its code.
        otp_login(request, phone)
        was_verified = True
    return (let_in if was_verified else go_on)(request, person, now, then=journey.then)


def _refusal_of(person: User, provider: Provider) -> SingleSignOnRefusal | None:
    if not person.is_active or (person.is_demo and not settings.DEMO):
        return AccountClosed()
    return None if provider.answers_for(person) else NotItsPerson()


@passing
@never_cache
@require_safe
def owed(request: PersonRequest) -> HttpResponse:
    """The password and the code were right, and open nothing: the organisation wants to be asked as well."""
    provider = provider_owed(request, request.user)
    if provider is None:
        return redirect(safe_next(request))
    return render(request, "accounts/provider-owed.html", {"provider": provider, "then": safe_next(request)})


@public
@never_cache
@require_safe
def signed_out(request: HttpRequest, provider: str) -> HttpResponse:
    """Signed out here. Where the provider says how, a link leads on to signing out there as well."""
    from compliance.accounts.single_sign_on.flow import farewell_address

    left, now = access_provider(provider), timezone.now()
    count_request(client_address(request), now, what="single-sign-on", most=MOST_A_MINUTE)
    way_back = site_of(request) + reverse("accounts:sign-in")
    try:
        farewell = farewell_address(left, way_back=way_back, now=now)
    except SingleSignOnRefusal:
        farewell = ""
    return render(request, "accounts/signed-out.html", {"provider": left, "farewell": farewell})
