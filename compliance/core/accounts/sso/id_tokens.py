"""Validation of ID tokens: signature, issuer, audience, nonce and age."""

from datetime import datetime
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import ClaimError, ExpiredTokenError, InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from compliance.core.accounts.sso.errors import ClocksDiffer, IdTokenRejected, SignedInTooLongAgo
from compliance.core.accounts.sso.metadata import provider_keys
from compliance.core.accounts.sso.providers import Identity, Provider

# Asymmetric algorithms only, whatever the provider offers: with a shared secret, anybody who can read it could sign.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
SKEW_SECONDS = 60
MAX_SUBJECT_LENGTH = 255


def read_id_token(provider: Provider, answer: dict[str, Any], *, nonce: str, now: datetime) -> Identity:
    claims = _signed_claims(provider, answer, nonce, now)
    _check_claims(provider, claims, now)
    email = claims.get("email")
    is_usable = isinstance(email, str) and email.isprintable()
    return Identity(
        subject=claims["sub"],
        email=email.lower() if is_usable else "",
        is_email_verified=is_usable and claims.get("email_verified") is True,
        has_second_factor=_counts_as_second_factor(provider, claims),
    )


def _signed_claims(provider: Provider, answer: dict[str, Any], nonce: str, now: datetime) -> CodeIDToken:
    token = answer.get("id_token")
    if not isinstance(token, str):
        raise IdTokenRejected
    try:
        try:
            signed = _decode_token(token, provider_keys(provider, now))
        except InvalidKeyIdError:
            signed = _decode_token(token, provider_keys(provider, now, is_new=True))
    except (JoseError, KeyError, TypeError, ValueError) as error:
        raise IdTokenRejected from error
    expected = {"iss": provider.issuer, "aud": provider.client_id}
    return CodeIDToken(
        signed.claims,
        signed.header,
        options={name: {"essential": True, "value": value} for name, value in expected.items()},
        params={"nonce": nonce, "client_id": provider.client_id, "access_token": answer.get("access_token")},
    )


def _decode_token(token: str, keys: KeySet) -> jwt.Token:
    return jwt.decode(token, keys, registry=JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False))


def _check_claims(provider: Provider, claims: CodeIDToken, now: datetime) -> None:
    try:
        claims.validate(now=int(now.timestamp()), leeway=SKEW_SECONDS)
    except ExpiredTokenError as error:
        raise ClocksDiffer from error
    except ClaimError as error:
        raise (ClocksDiffer if error.claim in ("iat", "nbf") else IdTokenRejected) from error
    except (JoseError, TypeError, ValueError) as error:
        raise IdTokenRejected from error
    # PostgreSQL stores neither NUL nor lone surrogates, and people cannot tell invisible characters apart.
    if not 0 < len(claims["sub"]) <= MAX_SUBJECT_LENGTH or not claims["sub"].isprintable():
        raise IdTokenRejected
    if provider.max_age_seconds:
        signed_in_at = claims.get("auth_time")
        if isinstance(signed_in_at, bool) or not isinstance(signed_in_at, int | float):
            raise IdTokenRejected
        if now.timestamp() - signed_in_at > provider.max_age_seconds + SKEW_SECONDS:
            raise SignedInTooLongAgo


def _counts_as_second_factor(provider: Provider, claims: CodeIDToken) -> bool:
    """Only by values in the configuration: what acr and amr mean is agreed with each provider."""
    level, methods = claims.get("acr"), claims.get("amr") or []
    used_methods = {one for one in methods if isinstance(one, str)}
    return (isinstance(level, str) and level in provider.second_factor_acr) or bool(
        used_methods & provider.second_factor_amr
    )
