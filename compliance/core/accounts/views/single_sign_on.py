"""Sign-in by a provider: redirect, callback, and signing out. None of the provider's tokens are stored."""

import structlog
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_otp import login as otp_login
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.auth.credentials import count_refused_attempt, is_locked_out
from compliance.core.accounts.models import EventKind, User
from compliance.core.accounts.request_types import PersonRequest
from compliance.core.accounts.sso.errors import (
    AccountDisabled,
    AuthorizationStateUnknown,
    IdentityOfAnotherPerson,
    PersonNotCoveredByProvider,
    SingleSignOnRefusal,
)
from compliance.core.accounts.sso.models import IdentityLink
from compliance.core.accounts.sso.policy import missing_required_provider
from compliance.core.accounts.sso.providers import Identity, Provider, find_provider
from compliance.core.accounts.sso.session_state import (
    PendingAuthorization,
    pop_authorization,
    store_authorization,
    store_unlinked_identity,
)
from compliance.core.accounts.views.login_session import (
    finish_sign_in,
    log_in,
    redirect_to_next_step,
    request_base_url,
    safe_next_url,
)
from compliance.core.web.access import password_verified, public
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import enforce_rate_limit

logger = structlog.get_logger(__name__)

# For one address: a whole office may share one.
MAX_PER_MINUTE = 60


def access_provider(slug: str) -> Provider:
    provider = find_provider(slug)
    if provider is None:
        raise Http404
    return provider


@public
@require_safe
def redirect_to_provider(request: HttpRequest, provider: str) -> HttpResponse:
    """A GET view: the content security policy lets no form lead to another site."""
    # Imported here and below, because Authlib is large and few processes need it.
    from compliance.core.accounts.sso.flow import begin_authorization

    configured, now = access_provider(provider), timezone.now()
    enforce_rate_limit(client_address(request), now, what="single-sign-on", most=MAX_PER_MINUTE)
    callback_url = request_base_url(request) + reverse("accounts:end-journey", args=[configured.slug])
    address, state, pending = begin_authorization(
        configured, way_back=callback_url, then=safe_next_url(request), now=now
    )
    store_authorization(request, state, pending)
    return redirect(address)


@public
@require_safe
def provider_callback(request: HttpRequest, provider: str) -> HttpResponse:
    from compliance.core.accounts.sso.flow import complete_authorization

    configured, now = access_provider(provider), timezone.now()
    enforce_rate_limit(client_address(request), now, what="single-sign-on", most=MAX_PER_MINUTE)
    pending = pop_authorization(request, request.GET.get("state", ""), configured.slug, now)
    if pending is None:
        raise AuthorizationStateUnknown
    try:
        identity = complete_authorization(configured, pending, request.GET, now)
    except SingleSignOnRefusal as refusal:
        # Never the request's parameters: codes and tokens must not be logged.
        logger.warning(
            "single_sign_on_refused", provider=configured.slug, code=refusal.code, cause=repr(refusal.__cause__)
        )
        raise
    links = IdentityLink.objects.linked().select_related("user")
    link = links.filter(issuer=configured.issuer, subject=identity.subject).first()
    if link is None:
        store_unlinked_identity(request, pending, identity, now)
        return _not_linked_page(request, configured, identity)
    return _sign_in_person(request, link.user, configured, pending, identity)


def _not_linked_page(request: HttpRequest, provider: Provider, identity: Identity) -> HttpResponse:
    """The same page whether or not such an account exists, so that strangers learn nothing."""
    if isinstance(request.user, User):
        return redirect("accounts:link-identity")
    return render(request, "accounts/not-linked.html", {"provider": provider, "identity": identity}, status=403)


def _sign_in_person(
    request: HttpRequest, person: User, provider: Provider, pending: PendingAuthorization, identity: Identity
) -> HttpResponse:
    """Signs in a linked person. The provider's second factor counts for sign-in, never for approvals."""
    now, here = timezone.now(), request.user
    if isinstance(here, User) and here != person:
        raise IdentityOfAnotherPerson
    refusal = _sign_in_refusal(person, provider)
    if refusal is not None:
        count_refused_attempt(request, user=person, kind=EventKind.SIGN_IN_FAILED, now=now)
    if refusal is not None or is_locked_out(request, person):
        raise refusal or SingleSignOnRefusal
    was_verified = isinstance(here, User) and here.is_verified()
    log_in(request, person, now, signed_in_by=provider.slug)
    phone = TOTPDevice.objects.filter(user=person, confirmed=True).first()
    if identity.has_second_factor and phone is not None:
        # As if its code had been entered. A person without TOTP here sets it up first: approvals ask for its code.
        otp_login(request, phone)
        was_verified = True
    return (finish_sign_in if was_verified else redirect_to_next_step)(request, person, now, then=pending.then)


def _sign_in_refusal(person: User, provider: Provider) -> SingleSignOnRefusal | None:
    if not person.is_active or (person.is_demo and not settings.DEMO):
        return AccountDisabled()
    return None if provider.covers_person(person) else PersonNotCoveredByProvider()


@password_verified
@require_safe
def provider_required(request: PersonRequest) -> HttpResponse:
    """Password and code were right, but the organisation requires sign-in by its provider."""
    provider = missing_required_provider(request, request.user)
    if provider is None:
        return redirect(safe_next_url(request))
    return render(request, "accounts/provider-owed.html", {"provider": provider, "then": safe_next_url(request)})


@public
@require_safe
def signed_out_page(request: HttpRequest, provider: str) -> HttpResponse:
    """Signed out here. If the provider has a logout URL, the page links to it."""
    from compliance.core.accounts.sso.flow import provider_logout_url

    configured, now = access_provider(provider), timezone.now()
    enforce_rate_limit(client_address(request), now, what="single-sign-on", most=MAX_PER_MINUTE)
    way_back = request_base_url(request) + reverse("accounts:sign-in")
    try:
        logout_url = provider_logout_url(configured, way_back=way_back, now=now)
    except SingleSignOnRefusal:
        logout_url = ""
    return render(request, "accounts/signed-out.html", {"provider": configured, "farewell": logout_url})
