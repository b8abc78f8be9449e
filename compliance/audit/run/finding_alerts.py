"""Alerts about new findings that somebody must act on while play goes on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from compliance.audit.catalogue.table_codes import FEED_CLOSED_TABLE
from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino
from compliance.notify.alerts.consumer import NOTIFIED_ROLES, OWN_RULE
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import raise_alert
from compliance.notify.alerts.states import AlertState

PLAY_AT_CLOSED_TABLE = "play-at-closed-table"


def raise_finding_alerts(casino: Casino, findings: Iterable[Finding], now: datetime) -> None:
    """Raises an alert for the first round at each closed table. A table with an open alert gets no second one."""
    first = {each.table: each for each in reversed(list(findings)) if each.code == FEED_CLOSED_TABLE.name}
    for table, finding in sorted(first.items()):
        open_alerts = Alert.objects.filter(
            casino=casino, duty=PLAY_AT_CLOSED_TABLE, table=table, state=AlertState.WAITING
        )
        if not open_alerts.exists():
            raise_alert(
                casino=casino,
                duty=PLAY_AT_CLOSED_TABLE,
                to=NOTIFIED_ROLES,
                statement=f"Table {table} is closed and reports rounds.",
                clause=OWN_RULE,
                table=table,
                about=(casino.slug, finding.subject_index),
                fact_at=min(finding.at, now),
                now=now,
            )
