"""Liveness (/healthz), readiness (/readyz, /status/) and the registry of checks behind them."""

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

import redis
import structlog
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from compliance.core.web.access import public, signed_in
from compliance.core.web.models import EmailState, Heartbeat, OutgoingEmail
from compliance.core.web.ui.components import Column, DataTable, Tag

logger = structlog.get_logger(__name__)

HEARTBEAT_MAX_AGE = timedelta(seconds=60)
MIN_DISK_FREE_BYTES = 500 * 1024 * 1024
TIMEOUT_SECONDS = 2
# The outbox is worked on every few seconds; a minute is longer than any normal delay.
EMAIL_GRACE = timedelta(minutes=1)
GIVEN_UP_DAYS = 7


@dataclass(frozen=True)
class CheckResult:
    """Outcome of one health check."""

    is_ok: bool
    detail: str


@dataclass(frozen=True)
class ComponentHealth:
    name: str
    ok: bool
    detail: str
    vital: bool


Check = Callable[[datetime], CheckResult]
_checks: dict[str, tuple[Check, bool]] = {}


def register_check(name: str, function: Check, *, is_vital: bool = True) -> None:
    """Registers a health check; apps call it in AppConfig.ready. A check that raises has failed. A failing check that
    is not vital is shown, but /readyz stays 200: facts must go on being recorded."""
    _checks[name] = function, is_vital


def run_checks(now: datetime) -> list[ComponentHealth]:
    return [_run_check(name, function, is_vital, now) for name, (function, is_vital) in _checks.items()]


def _run_check(name: str, function: Check, is_vital: bool, now: datetime) -> ComponentHealth:
    try:
        result = function(now)
    except Exception as error:
        # Only the exception type is shown, because the page is public; the log has the message.
        logger.warning("health_check_failed", check=name, error=str(error))
        return ComponentHealth(name, False, f"The check failed: {type(error).__name__}.", is_vital)
    return ComponentHealth(name, result.is_ok, result.detail, is_vital)


def register_own_checks() -> None:
    register_check("database", check_database)
    register_check("redis", check_redis)
    register_check("worker", lambda now: check_heartbeat("worker", now))
    register_check("beat", lambda now: check_heartbeat("beat", now))
    register_check("disk", check_disk)
    register_check("e-mail", check_outbox, is_vital=False)


def check_database(now: datetime) -> CheckResult:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return CheckResult(True, "Answers.")


def check_redis(now: datetime) -> CheckResult:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS
    )
    with client:
        client.ping()
    return CheckResult(True, "Answers.")


def check_heartbeat(name: str, now: datetime) -> CheckResult:
    heartbeat = Heartbeat.objects.filter(name=name).first()
    if heartbeat is None:
        return CheckResult(False, "Has given no sign of life yet.")
    age = max(timedelta(0), now - heartbeat.seen_at)
    return CheckResult(age <= HEARTBEAT_MAX_AGE, f"Last sign of life {int(age.total_seconds())} s ago.")


def check_disk(now: datetime) -> CheckResult:
    free = shutil.disk_usage(settings.DATA_DIR).free
    return CheckResult(free >= MIN_DISK_FREE_BYTES, f"{free // 2**20:,} MiB free.")


def check_outbox(now: datetime) -> CheckResult:
    late = OutgoingEmail.objects.due(now - EMAIL_GRACE).count()
    failing = OutgoingEmail.objects.filter(state=EmailState.WAITING, attempts__gt=0).count()
    recent = OutgoingEmail.objects.filter(next_try_at__gt=now - timedelta(days=GIVEN_UP_DAYS))
    given_up = recent.filter(state=EmailState.GIVEN_UP).count()
    if late or failing or given_up:
        waiting = f"{late:,} e-mails are late, {failing:,} could not be delivered yet"
        return CheckResult(False, f"{waiting}, {given_up:,} were given up in the last {GIVEN_UP_DAYS} days.")
    return CheckResult(True, "Every e-mail was handed over.")


@public
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@public
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    results = run_checks(timezone.now())
    is_ready = all(health.ok for health in results if health.vital)
    body = {"ok": is_ready, "checks": [asdict(health) for health in results]}
    return JsonResponse(body, status=200 if is_ready else 503)


@signed_in
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    results = run_checks(timezone.now())
    table = DataTable(
        caption="Parts of the service",
        columns=(
            Column("Part", lambda health: health.name.capitalize(), is_row_heading=True),
            Column("State", lambda health: Tag("Working", "success") if health.ok else Tag("Failing", "danger")),
            Column("Detail", "detail"),
        ),
        rows=results,
    )
    return render(request, "web/status.html", {"table": table, "is_ready": all(health.ok for health in results)})
