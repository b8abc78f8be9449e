"""The authorisation code flow with PKCE: where the browser is sent, and who comes back."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from authlib.common.urls import add_params_to_uri

from compliance.accounts.single_sign_on.asking import exchange_code, open_client
from compliance.accounts.single_sign_on.errors import AnswerNotBelieved, ProviderRefused, SignInCancelled
from compliance.accounts.single_sign_on.id_tokens import read_id_token
from compliance.accounts.single_sign_on.metadata import metadata_of
from compliance.accounts.single_sign_on.providers import Identity, Provider
from compliance.accounts.single_sign_on.waiting import Journey

# Of the provider's own words: the person said no, or must do something there first.
CANCELLED = ("access_denied", "login_required", "interaction_required", "consent_required")


def begin_journey(provider: Provider, *, way_back: str, then: str, now: datetime) -> tuple[str, str, Journey]:
    """The address to send the browser to, the state that tells this journey, and what only we know of it."""
    metadata = metadata_of(provider, now)
    journey = Journey(
        provider=provider.slug, nonce=secrets.token_urlsafe(32), verifier=secrets.token_urlsafe(64),
        way_back=way_back, then=then, began_at=now.timestamp(),
    )  # fmt: skip
    asked: dict[str, Any] = {"nonce": journey.nonce}
    if provider.second_factor_acr:
        asked["acr_values"] = " ".join(sorted(provider.second_factor_acr))
    if provider.max_age_seconds:
        asked["max_age"] = str(provider.max_age_seconds)
    with open_client(provider, redirect_uri=way_back) as client:
        address, state = client.create_authorization_url(
            metadata.authorization_endpoint, state=secrets.token_urlsafe(32), code_verifier=journey.verifier, **asked
        )
    return address, state, journey


def end_journey(provider: Provider, journey: Journey, came_with: Mapping[str, str], now: datetime) -> Identity:
    """Who came back. The state was compared before: it is what led to the journey."""
    metadata = metadata_of(provider, now)
    said_issuer = came_with.get("iss")
    if said_issuer != provider.issuer and (said_issuer or metadata.authorization_response_iss_parameter_supported):
        raise AnswerNotBelieved
    if "error" in came_with:
        raise SignInCancelled if came_with["error"] in CANCELLED else ProviderRefused
    if not came_with.get("code"):
        raise AnswerNotBelieved
    way = metadata.secret_sent_by
    with open_client(provider, redirect_uri=journey.way_back, token_endpoint_auth_method=way) as client:
        answer = exchange_code(client, metadata.token_endpoint, code=came_with["code"], verifier=journey.verifier)
    return read_id_token(provider, answer, nonce=journey.nonce, now=now)


def farewell_address(provider: Provider, *, way_back: str, now: datetime) -> str:
    """Where one signs out at the provider too, if it offers that. Nothing of the provider's was kept to prove it by."""
    end = metadata_of(provider, now).end_session_endpoint
    said = {"client_id": provider.client_id, "post_logout_redirect_uri": way_back}
    return add_params_to_uri(end, said) if end else ""
