"""Consumer that raises alerts about feeds that cannot be trusted: conflicts, invalid signatures, unknown keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import Role
from compliance.core.web.local_time import Clock
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import raise_alert
from compliance.notify.alerts.states import AlertState
from rounds.intake.entry_kinds import CONFLICT, SIGNATURE, UNKNOWN_KEY
from rounds.ledger import LogEntry, consume_all, every_log

CONSUMER = "alerts-feeds"
CONSUME_TASK = "compliance.notify.alerts.tasks.consume_feeds"
HANDLED_KINDS = (CONFLICT, SIGNATURE, UNKNOWN_KEY)
DUTY = "feed-not-trusted"
# No legal document covers controllers; this rule is the service's own.
OWN_RULE = "the service's own rule for feeds"
NOTIFIED_ROLES = (Role.COMPLIANCE_OFFICER, Role.CASINO_SUPERVISOR)


def consume_feed_entries(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Consumes new entries; returns how many the cursor passed."""
    where = every_log() if logs is None else logs
    return consume_all(CONSUMER, where, lambda entries: handle_entries(entries, clock), kinds=HANDLED_KINDS)


def handle_entries(entries: Sequence[LogEntry], clock: Clock) -> None:
    """Handler of the consumer, in one transaction with the cursor. Logs without a casino have nobody to notify."""
    for entry in entries:
        casino = Casino.objects.filter(slug=entry.log).first()
        statement, table = _alert_statement(entry), entry.table or ""
        if casino is not None and not _has_open_alert(casino, table, statement):
            raise_alert(
                casino=casino,
                duty=DUTY,
                to=NOTIFIED_ROLES,
                statement=statement,
                clause=OWN_RULE,
                table=table,
                about=(entry.log, entry.index),
                fact_at=entry.recorded_at,
                now=clock(),
            )


def _has_open_alert(casino: Casino, table: str, statement: str) -> bool:
    """A faulty controller repeats its fault on every line,
    so there is one open alert until somebody acknowledges it."""
    return Alert.objects.filter(
        casino=casino, duty=DUTY, table=table, statement=statement, state=AlertState.WAITING
    ).exists()


def _alert_statement(entry: LogEntry) -> str:
    body = entry.content()
    if entry.kind == UNKNOWN_KEY:
        tables = ", ".join(sorted(body["tables"])) or "no table of ours"
        return f"Somebody speaks for {tables} with a key that no controller has. What they send is refused."
    if entry.kind == SIGNATURE:
        return f"Batches under the key of {body['controller']} are not signed by it, and are refused."
    return f"{body['controller']} sends other bytes under a number it has used before. The first ones stand."
