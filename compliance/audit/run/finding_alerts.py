"""Alerts about new findings that somebody must act on: play at a closed table, and failed lights nobody reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from compliance.audit.catalogue.table_codes import FAULT_NOT_TOLD, FEED_CLOSED_TABLE
from compliance.audit.models import Finding, TimelineEvent
from compliance.core.accounts.models import Casino
from compliance.notify.alerts.consumer import NOTIFIED_ROLES, OWN_RULE
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import raise_alert
from compliance.notify.alerts.states import AlertState
from compliance.tables.equipment.consumer import FAULT_DUTY
from rounds.intake.entry_kinds import FAULT
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, roles_for_title

PLAY_AT_CLOSED_TABLE = "play-at-closed-table"


def raise_finding_alerts(casino: Casino, findings: Sequence[Finding], now: datetime) -> None:
    """Must be called before the entries of the findings are appended."""
    _raise_closed_table_alerts(casino, findings, now)
    _raise_unreported_fault_alerts(casino, findings, now)


def _raise_closed_table_alerts(casino: Casino, findings: Iterable[Finding], now: datetime) -> None:
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


def _raise_unreported_fault_alerts(casino: Casino, findings: Iterable[Finding], now: datetime) -> None:
    """For new findings of FAULT-NOT-TOLD about rounds and closings. The consumer of equipment entries has raised the
    alert of a reported fault."""
    missed = [finding for finding in findings if finding.code == FAULT_NOT_TOLD.name]
    if not missed:
        return
    subjects = [finding.subject_index for finding in missed]
    reported = set(
        TimelineEvent.objects.filter(log=casino.slug, entry_index__in=subjects, kind=FAULT).values_list(
            "entry_index", flat=True
        )
    )
    versions = RuleVersion.objects.in_bulk({finding.version_id for finding in missed})
    for finding in missed:
        pack = pack_of(versions[finding.version_id]) if finding.version_id else None
        duty = pack.duties.equipment_fault if pack else None
        if finding.subject_index in reported or pack is None or duty is None:
            continue
        raise_alert(
            casino=casino,
            duty=FAULT_DUTY,
            to=roles_for_title(pack, duty.told),
            statement=f"{finding.table}: the lights failed and nobody reported it. {finding.sentence}",
            clause=finding.clause,
            table=finding.table,
            about=(casino.slug, finding.subject_index),
            immediately=duty.told_at_once,
            fact_at=finding.at,
            now=now,
        )
