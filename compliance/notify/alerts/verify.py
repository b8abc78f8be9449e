"""Verifier for `verify_ledger`: compares acknowledgement and escalation of alerts with the entries of their steps."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from compliance.notify.alerts.models import Alert, AlertStep
from compliance.notify.alerts.states import AlertState, AlertStepKind
from rounds.ledger import LogEntry


class AlertSnapshot(NamedTuple):
    state: str
    acknowledged_at: datetime | None
    acknowledged_by_name: str
    level: int
    told: list[str]


def stored_snapshot(alert: Alert) -> AlertSnapshot:
    return AlertSnapshot(alert.state, alert.acknowledged_at, alert.acknowledged_by_name, alert.level, alert.told)


def snapshot_from_steps(alert: Alert, steps: Sequence[AlertStep]) -> AlertSnapshot:
    escalated = [step for step in steps if step.step == AlertStepKind.ESCALATED]
    notified = list(dict.fromkeys([*alert.to, *(role for step in escalated for role in step.roles)]))
    acknowledged = next((step for step in steps if step.step == AlertStepKind.ACKNOWLEDGED), None)
    if acknowledged is None:
        return AlertSnapshot(AlertState.WAITING, None, "", len(escalated), notified)
    return AlertSnapshot(AlertState.ACKNOWLEDGED, acknowledged.at, acknowledged.person_name, len(escalated), notified)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    alerts = Alert.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for alert in alerts.prefetch_related("steps"):
        steps = sorted(alert.steps.all(), key=lambda step: step.entry_index)
        if stored_snapshot(alert) != snapshot_from_steps(alert, steps):
            yield alert.entry_index, "who was told, or when and by whom it was acknowledged, is not what its steps say."
