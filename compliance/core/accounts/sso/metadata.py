"""Discovery document and keys of a provider, cached for an hour in each web process."""

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from compliance.core.accounts.sso.errors import ProviderResponseInvalid
from compliance.core.accounts.sso.http_client import fetch_document
from compliance.core.accounts.sso.providers import Provider

CACHED_FOR = timedelta(hours=1)
DISCOVERY_PATH = "/.well-known/openid-configuration"
# Client authentication methods, in order of preference.
CLIENT_AUTH_METHODS = ("client_secret_basic", "client_secret_post")


class ProviderMetadata(msgspec.Struct, frozen=True):
    """The fields of OpenID Connect Discovery that are used. Defaults are those of the specification."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    end_session_endpoint: str = ""
    authorization_response_iss_parameter_supported: bool = False
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)
    code_challenge_methods_supported: tuple[str, ...] = ("S256",)

    @property
    def client_auth_method(self) -> str | None:
        return next((way for way in CLIENT_AUTH_METHODS if way in self.token_endpoint_auth_methods_supported), None)


Cached = TypeVar("Cached")
_cache: dict[tuple[str, Provider], tuple[datetime, Any]] = {}
_cache_lock = Lock()


def clear_cache() -> None:
    with _cache_lock:
        _cache.clear()


def _get_or_fetch(what: str, provider: Provider, now: datetime, fetch: Callable[[], Cached], *, is_new: bool) -> Cached:
    known = _cache.get((what, provider))
    if known is not None and not is_new and abs(now - known[0]) < CACHED_FOR:
        thing: Cached = known[1]
        return thing
    thing = fetch()
    with _cache_lock:
        _cache[what, provider] = (now, thing)
    return thing


def provider_metadata(provider: Provider, now: datetime, *, is_new: bool = False) -> ProviderMetadata:
    return _get_or_fetch("metadata", provider, now, lambda: _fetch_metadata(provider), is_new=is_new)


def _fetch_metadata(provider: Provider) -> ProviderMetadata:
    document = fetch_document(provider, provider.issuer.removesuffix("/") + DISCOVERY_PATH)
    try:
        found = msgspec.convert(document, ProviderMetadata)
    except msgspec.ValidationError as error:
        raise ProviderResponseInvalid from error
    addresses = [found.authorization_endpoint, found.token_endpoint, found.jwks_uri]
    addresses += [found.end_session_endpoint] if found.end_session_endpoint else []
    is_right = (
        found.issuer == provider.issuer
        and all(_is_provider_host(address, provider) for address in addresses)
        and "S256" in found.code_challenge_methods_supported
        and found.client_auth_method is not None
    )
    if not is_right:
        raise ProviderResponseInvalid
    return found


def _is_provider_host(address: str, provider: Provider) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "https" and parts.netloc in provider.hosts


def provider_keys(provider: Provider, now: datetime, *, is_new: bool = False) -> KeySet:
    """`is_new` bypasses the cache when a token names an unknown key: providers rotate theirs."""
    address = provider_metadata(provider, now).jwks_uri
    return _get_or_fetch("keys", provider, now, lambda: _fetch_keys(provider, address), is_new=is_new)


def _fetch_keys(provider: Provider, address: str) -> KeySet:
    try:
        return KeySet.import_key_set(fetch_document(provider, address))
    except (JoseError, KeyError, TypeError, ValueError) as error:
        raise ProviderResponseInvalid from error
