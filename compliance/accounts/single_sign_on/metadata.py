"""Where a provider has its addresses, and its keys. Each web process remembers them for an hour."""

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from compliance.accounts.single_sign_on.asking import fetch_document
from compliance.accounts.single_sign_on.errors import ProviderWrong
from compliance.accounts.single_sign_on.providers import Provider

REMEMBERED_FOR = timedelta(hours=1)
DISCOVERY = "/.well-known/openid-configuration"
# What the client secret may be sent by, in the order of our liking.
SECRET_SENT_BY = ("client_secret_basic", "client_secret_post")


class Metadata(msgspec.Struct, frozen=True):
    """What of OpenID Connect Discovery is used. What is absent has the meaning that the specification gives it."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    end_session_endpoint: str = ""
    authorization_response_iss_parameter_supported: bool = False
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    code_challenge_methods_supported: tuple[str, ...] = ("S256",)

    @property
    def secret_sent_by(self) -> str | None:
        return next((way for way in SECRET_SENT_BY if way in self.token_endpoint_auth_methods_supported), None)


Thing = TypeVar("Thing")
_remembered: dict[tuple[str, Provider], tuple[datetime, Any]] = {}
_lock = Lock()


def forget_everything() -> None:
    with _lock:
        _remembered.clear()


def _remember(what: str, provider: Provider, now: datetime, fetch: Callable[[], Thing], *, is_new: bool) -> Thing:
    known = _remembered.get((what, provider))
    if known is not None and not is_new and abs(now - known[0]) < REMEMBERED_FOR:
        thing: Thing = known[1]
        return thing
    thing = fetch()
    with _lock:
        _remembered[what, provider] = (now, thing)
    return thing


def metadata_of(provider: Provider, now: datetime, *, is_new: bool = False) -> Metadata:
    return _remember("metadata", provider, now, lambda: _fetch_metadata(provider), is_new=is_new)


def _fetch_metadata(provider: Provider) -> Metadata:
    document = fetch_document(provider, provider.issuer.removesuffix("/") + DISCOVERY)
    try:
        found = msgspec.convert(document, Metadata)
    except msgspec.ValidationError as error:
        raise ProviderWrong from error
    addresses = [found.authorization_endpoint, found.token_endpoint, found.jwks_uri]
    addresses += [found.end_session_endpoint] if found.end_session_endpoint else []
    is_right = (
        found.issuer == provider.issuer
        and all(_is_its_own(address, provider) for address in addresses)
        and "S256" in found.code_challenge_methods_supported
        and found.secret_sent_by is not None
    )
    if not is_right:
        raise ProviderWrong
    return found


def _is_its_own(address: str, provider: Provider) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "https" and parts.netloc in provider.hosts


def keys_of(provider: Provider, now: datetime, *, is_new: bool = False) -> KeySet:
    """`is_new` when a signature names a key that is not among those we remember: providers change theirs."""
    address = metadata_of(provider, now).jwks_uri
    return _remember("keys", provider, now, lambda: _fetch_keys(provider, address), is_new=is_new)


def _fetch_keys(provider: Provider, address: str) -> KeySet:
    try:
        return KeySet.import_key_set(fetch_document(provider, address))
    except (JoseError, KeyError, TypeError, ValueError) as error:
        raise ProviderWrong from error
