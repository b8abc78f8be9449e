"""Token authentication: scope, rate limit, and the record that the token was used to read."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.http import HttpRequest

from compliance.api.errors import ExpiredToken, NoToken, OutOfScope, RevokedToken
from compliance.api.models import ApiToken, Scope, TokenGrant
from compliance.api.tokens.services import TOKEN_PREFIX, token_digest
from compliance.core.accounts.models import Casino, RoleAssignment
from compliance.core.accounts.roles import GOVERNMENT_ROLES
from compliance.core.web.errors import NotFound
from compliance.core.web.http.client_address import client_address
from compliance.core.web.http.rate_limit import enforce_rate_limit
from compliance.privacy.access_log.models import AccessMethod, Disclosure
from compliance.privacy.access_log.services import record_disclosure

MAX_REQUESTS_PER_MINUTE = 300
# Requests with unknown tokens are rate-limited by client address, against guessing.
MAX_UNKNOWN_TOKENS_PER_MINUTE = 60
LAST_USE_INTERVAL = timedelta(minutes=1)


@dataclass(frozen=True)
class Reader:
    """An authenticated system that may read this scope of this casino now."""

    token: ApiToken
    casino: Casino
    scope: Scope
    now: datetime

    @property
    def name(self) -> str:
        return str(self.token)


def authenticate_reader(request: HttpRequest, casino: str, scope: Scope, now: datetime) -> Reader:
    """Absent and forbidden casinos raise the same error; a scope that the token lacks is named as such."""
    token = _token_from_request(request, now)
    enforce_rate_limit(f"token-{token.pk}", now, what="api", most=MAX_REQUESTS_PER_MINUTE)
    grant = TokenGrant.objects.filter(token=token, casino__slug=casino).select_related("casino", "end").first()
    if grant is None:
        raise NotFound
    if grant.revocation or not _is_maker_still_authorized(token, grant.casino):
        raise RevokedToken
    if scope.value not in token.scopes:
        raise OutOfScope
    _save_last_use(token, now)
    return Reader(token, grant.casino, scope, now)


def _token_from_request(request: HttpRequest, now: datetime) -> ApiToken:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    is_ours = kind.lower() == "bearer" and secret.startswith(TOKEN_PREFIX)
    token = (
        ApiToken.objects.filter(token_sha256=token_digest(secret)).select_related("made_by").first()
        if is_ours
        else None
    )
    if token is None:
        enforce_rate_limit(client_address(request), now, what="no-token", most=MAX_UNKNOWN_TOKENS_PER_MINUTE)
        raise NoToken
    if now >= token.expires_at:
        raise ExpiredToken
    return token


def _is_maker_still_authorized(token: ApiToken, casino: Casino) -> bool:
    """A token stops working when its maker loses their government role."""
    assignments = RoleAssignment.objects.current().filter(
        user=token.made_by_id, casino=casino, role__in=GOVERNMENT_ROLES
    )
    return token.made_by.is_active and assignments.exists()


def _save_last_use(token: ApiToken, now: datetime) -> None:
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - LAST_USE_INTERVAL)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


def record_read(reader: Reader, request: HttpRequest) -> None:
    """Records the access once an hour for each URL, because systems poll and people must be able to read the log."""
    hour = reader.now.replace(minute=0, second=0, microsecond=0)
    recorded = Disclosure.objects.filter(
        casino=reader.casino, way=AccessMethod.API, address=request.path[:400], at__gte=hour
    )
    if not recorded.filter(through=reader.name).exists():
        record_download(reader, request, what=str(reader.scope.label), format="application/json")


def record_download(reader: Reader, request: HttpRequest, *, what: str, format: str) -> None:
    filters = {name: request.GET[name] for name in request.GET if name not in ("cursor", "limit")}
    record_disclosure(
        casino=reader.casino,
        way=AccessMethod.API,
        what=what,
        address=request.path,
        format=format,
        filters=filters,
        actor=reader.token.made_by,
        now=reader.now,
        through=reader.name,
    )
