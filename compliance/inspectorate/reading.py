"""Who is speaking: the token of a request, what it may read here, how often; and that it read is written down."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.http import HttpRequest

from compliance.accounts.identity import client_address
from compliance.accounts.models import Casino, RoleHeld
from compliance.accounts.roles import GOVERNMENT
from compliance.disclosures.models import Disclosure, Way
from compliance.disclosures.services import record_disclosure
from compliance.inspectorate.errors import ExpiredToken, NoToken, OutOfScope, RevokedToken
from compliance.inspectorate.models import ApiToken, Scope, TokenGrant
from compliance.inspectorate.services import PREFIX, digest_of
from compliance.web.errors import NotFound
from compliance.web.throttle import count_request

MOST_A_MINUTE = 300
# Unknown tokens are counted by address, so that nobody can guess at leisure.
MOST_UNKNOWN_A_MINUTE = 60
USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class Reader:
    """A system that may read this kind of records of this casino now."""

    token: ApiToken
    casino: Casino
    scope: Scope
    now: datetime

    @property
    def name(self) -> str:
        return str(self.token)


def reader_of(request: HttpRequest, casino: str, scope: Scope, now: datetime) -> Reader:
    """Absent and forbidden casinos give the same answer; a kind out of scope is said to be that."""
    token = _token_of(request, now)
    count_request(f"token-{token.pk}", now, what="api", most=MOST_A_MINUTE)
    grant = TokenGrant.objects.filter(token=token, casino__slug=casino).select_related("casino", "end").first()
    if grant is None:
        raise NotFound
    if grant.ended or not _may_still_read(token, grant.casino):
        raise RevokedToken
    if scope.value not in token.scopes:
        raise OutOfScope
    _note_use(token, now)
    return Reader(token, grant.casino, scope, now)


def _token_of(request: HttpRequest, now: datetime) -> ApiToken:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    is_ours = kind.lower() == "bearer" and secret.startswith(PREFIX)
    token = (
        ApiToken.objects.filter(token_sha256=digest_of(secret)).select_related("made_by").first() if is_ours else None
    )
    if token is None:
        count_request(client_address(request), now, what="no-token", most=MOST_UNKNOWN_A_MINUTE)
        raise NoToken
    if now >= token.expires_at:
        raise ExpiredToken
    return token


def _may_still_read(token: ApiToken, casino: Casino) -> bool:
    """The token ends with the roles of whoever made it."""
    held = RoleHeld.objects.current().filter(user=token.made_by_id, casino=casino, role__in=GOVERNMENT)
    return token.made_by.is_active and held.exists()


def _note_use(token: ApiToken, now: datetime) -> None:
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
    ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


def record_read(reader: Reader, request: HttpRequest) -> None:
    """Once an hour for each address: a system asks over and over, and the log is for people to read."""
    hour = reader.now.replace(minute=0, second=0, microsecond=0)
    told = Disclosure.objects.filter(casino=reader.casino, way=Way.API, address=request.path[:400], at__gte=hour)
    if not told.filter(through=reader.name).exists():
        record_out(reader, request, what=str(reader.scope.label), format="application/json")


def record_out(reader: Reader, request: HttpRequest, *, what: str, format: str) -> None:
    asked = {name: request.GET[name] for name in request.GET if name not in ("cursor", "limit")}
    record_disclosure(
        casino=reader.casino, way=Way.API, what=what, address=request.path, format=format, filters=asked,
        actor=reader.token.made_by, now=reader.now, through=reader.name,
    )  # fmt: skip
