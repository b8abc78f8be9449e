"""The file OIDC_PROVIDERS: which providers there are, and which people each covers. Read when the service starts.
Client secrets are in separate files, never in the database."""

import re
import ssl
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from compliance.core.accounts.roles import GOVERNMENT_SIDE, Role

if TYPE_CHECKING:
    from compliance.core.accounts.models import User

SLUG = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")
MAX_NAME_LENGTH = 80


class ProviderConfig(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One provider as in the file."""

    name: str
    issuer: str
    client_id: str
    client_secret_file: str
    casinos: tuple[str, ...]
    roles: tuple[str, ...] = tuple(sorted(GOVERNMENT_SIDE))
    hosts: tuple[str, ...] = ()
    ca_file: str = ""
    required: bool = False
    second_factor_acr: tuple[str, ...] = ()
    second_factor_amr: tuple[str, ...] = ()
    max_age_minutes: int = 0


@dataclass(frozen=True)
class Provider:
    """A configured provider. `hosts` are the hosts (with ports) that may be called. It covers a person only
    if each of their roles is in `roles` and held at one of `casinos`; otherwise it could open access that somebody else
    granted."""

    slug: str
    name: str
    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    casinos: frozenset[str]
    roles: frozenset[str]
    hosts: frozenset[str]
    ca_file: str
    is_required: bool
    second_factor_acr: frozenset[str]
    second_factor_amr: frozenset[str]
    max_age_seconds: int

    def __str__(self) -> str:
        return self.name

    def covers_person(self, person: "User") -> bool:
        held = person.roles_now()
        return bool(held) and all(one.role in self.roles and one.casino.slug in self.casinos for one in held)


@dataclass(frozen=True)
class Identity:
    """The identity that a provider confirmed.
    Only the subject identifies it; an e-mail address can pass to another person."""

    subject: str
    email: str
    is_email_verified: bool
    has_second_factor: bool


def all_providers() -> tuple[Provider, ...]:
    return read_providers(settings.OIDC_PROVIDERS) if settings.OIDC_PROVIDERS else ()


def find_provider(slug: str) -> Provider | None:
    return next((provider for provider in all_providers() if provider.slug == slug), None)


@cache
def read_providers(file: Path) -> tuple[Provider, ...]:
    """Reads the file. Raises ImproperlyConfigured with the file, the provider and what to write instead."""
    try:
        written = tomllib.loads(file.read_text())
        providers = tuple(_build_provider(slug, entry, file.parent) for slug, entry in written.items())
    except (OSError, ValueError) as error:
        raise ImproperlyConfigured(f"OIDC_PROVIDERS, {file}: {error}") from error
    if len({provider.issuer for provider in providers}) != len(providers):
        raise ImproperlyConfigured(f"OIDC_PROVIDERS, {file}: two providers have the same issuer.")
    return providers


def _build_provider(slug: str, entry: object, folder: Path) -> Provider:
    try:
        written = msgspec.convert(entry, ProviderConfig)
    except msgspec.ValidationError as error:
        raise ValueError(f"[{slug}] {error}.") from error
    for is_wrong, what in _config_errors(slug, written):
        if is_wrong:
            raise ValueError(f"[{slug}] {what}")
    secret = (folder / written.client_secret_file).read_text().strip()
    if not secret:
        raise ValueError(f"[{slug}] the file of the client secret is empty.")
    return Provider(
        slug=slug,
        name=written.name,
        issuer=written.issuer,
        client_id=written.client_id,
        client_secret=secret,
        casinos=frozenset(written.casinos),
        roles=frozenset(written.roles),
        hosts=frozenset({urlsplit(written.issuer).netloc, *written.hosts}),
        ca_file=_validate_ca_file(slug, folder / written.ca_file) if written.ca_file else "",
        is_required=written.required,
        second_factor_acr=frozenset(written.second_factor_acr),
        second_factor_amr=frozenset(written.second_factor_amr),
        max_age_seconds=60 * written.max_age_minutes,
    )


def _validate_ca_file(slug: str, path: Path) -> str:
    """Checked at start: later it would look as if the provider did not answer."""
    try:
        ssl.create_default_context(cafile=path)
    except OSError as error:
        raise ValueError(f"[{slug}] ca_file {path} holds no certificate that can be read: {error}.") from error
    return str(path)


def _config_errors(slug: str, written: ProviderConfig) -> list[tuple[bool, str]]:
    issuer, known = urlsplit(written.issuer), set(Role.values)
    is_issuer = issuer.scheme == "https" and bool(issuer.hostname) and "@" not in issuer.netloc
    return [
        (not SLUG.fullmatch(slug), "its short name must be small letters, figures and hyphens."),
        (not 0 < len(written.name) <= MAX_NAME_LENGTH, f"name must have 1 to {MAX_NAME_LENGTH} characters."),
        (not is_issuer or bool(issuer.query or issuer.fragment), "issuer must be an https:// address without ? or #."),
        (not written.client_id, "client_id is empty."),
        (not written.casinos, "casinos must name at least one casino by its short name."),
        (not written.roles or not known.issuperset(written.roles), f"roles are of {', '.join(Role.values)}."),
        (any("/" in host or not host for host in written.hosts), "hosts are names such as keys.example."),
        (written.max_age_minutes < 0, "max_age_minutes cannot be below 0."),
    ]
