"""Authorization code flow with PKCE: the redirect to the provider, and the callback."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from authlib.common.urls import add_params_to_uri

from compliance.core.accounts.sso.errors import IdTokenRejected, ProviderRefused, SignInCancelled
from compliance.core.accounts.sso.http_client import exchange_code, open_client
from compliance.core.accounts.sso.id_tokens import read_id_token
from compliance.core.accounts.sso.metadata import provider_metadata
from compliance.core.accounts.sso.providers import Identity, Provider
from compliance.core.accounts.sso.session_state import PendingAuthorization

# Error codes of the provider that mean the person cancelled, or must do something there first.
CANCELLED_ERRORS = ("access_denied", "login_required", "interaction_required", "consent_required")


def begin_authorization(
    provider: Provider, *, way_back: str, then: str, now: datetime
) -> tuple[str, str, PendingAuthorization]:
    """The URL to redirect to, the state parameter, and the pending authorization to keep in the session."""
    metadata = provider_metadata(provider, now)
    pending = PendingAuthorization(
        provider=provider.slug,
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(64),
        way_back=way_back,
        then=then,
        began_at=now.timestamp(),
    )
    parameters: dict[str, Any] = {"nonce": pending.nonce}
    if provider.second_factor_acr:
        parameters["acr_values"] = " ".join(sorted(provider.second_factor_acr))
    if provider.max_age_seconds:
        parameters["max_age"] = str(provider.max_age_seconds)
    with open_client(provider, redirect_uri=way_back) as client:
        address, state = client.create_authorization_url(
            metadata.authorization_endpoint,
            state=secrets.token_urlsafe(32),
            code_verifier=pending.verifier,
            **parameters,
        )
    return address, state, pending


def complete_authorization(
    provider: Provider, pending: PendingAuthorization, callback_parameters: Mapping[str, str], now: datetime
) -> Identity:
    """The identity of the person who came back.
    The caller has checked the state: it found the pending authorization by it."""
    metadata = provider_metadata(provider, now)
    issuer = callback_parameters.get("iss")
    if issuer != provider.issuer and (issuer or metadata.authorization_response_iss_parameter_supported):
        raise IdTokenRejected
    if "error" in callback_parameters:
        raise SignInCancelled if callback_parameters["error"] in CANCELLED_ERRORS else ProviderRefused
    if not callback_parameters.get("code"):
        raise IdTokenRejected
    way = metadata.client_auth_method
    with open_client(provider, redirect_uri=pending.way_back, token_endpoint_auth_method=way) as client:
        answer = exchange_code(
            client, metadata.token_endpoint, code=callback_parameters["code"], verifier=pending.verifier
        )
    return read_id_token(provider, answer, nonce=pending.nonce, now=now)


def provider_logout_url(provider: Provider, *, way_back: str, now: datetime) -> str:
    """The provider's logout URL, if it has one. Without id_token_hint, because no token was kept."""
    end = provider_metadata(provider, now).end_session_endpoint
    parameters = {"client_id": provider.client_id, "post_logout_redirect_uri": way_back}
    return add_params_to_uri(end, parameters) if end else ""
