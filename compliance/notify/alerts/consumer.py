"""Feeds that cannot be trusted: somebody is told of a conflict, of a signature that does not fit, of an unknown key."""

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
# No document speaks of controllers: that their words are their own is a rule of the service.
OWN_RULE = "the service's own rule for feeds"
NOTIFIED_ROLES = (Role.COMPLIANCE_OFFICER, Role.CASINO_SUPERVISOR)


def consume_feed_entries(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Take in whatever is new; how many entries the cursor passed."""
    where = every_log() if logs is None else logs
    return consume_all(CONSUMER, where, lambda entries: handle_entries(entries, clock), kinds=HANDLED_KINDS)


def handle_entries(entries: Sequence[LogEntry], clock: Clock) -> None:
    """The handler of `follow`: one transaction with the cursor. What names no casino's table has nobody to be told."""
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
    """A controller that has gone wrong does so line after line: until somebody looks, they are told once."""
    return Alert.objects.filter(
        casino=casino, duty=DUTY, table=table, statement=statement, state=AlertState.WAITING
    ).exists()


def _alert_statement(entry: LogEntry) -> str:
    said = entry.content()
    if entry.kind == UNKNOWN_KEY:
        tables = ", ".join(sorted(said["tables"])) or "no table of ours"
        return f"Somebody speaks for {tables} with a key that no controller has. What they send is refused."
    if entry.kind == SIGNATURE:
        return f"Batches under the key of {said['controller']} are not signed by it, and are refused."
    return f"{said['controller']} sends other bytes under a number it has used before. The first ones stand."
