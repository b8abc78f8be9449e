"""For `verify_ledger`: when and by whom an alert was acknowledged, and how far it went, against its steps' entries."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from compliance.alerts.models import Alert, AlertStep
from compliance.alerts.states import State, Step
from rounds.ledger.following import Recorded


class Standing(NamedTuple):
    state: str
    acknowledged_at: datetime | None
    acknowledged_by_name: str
    level: int
    told: list[str]


def kept(alert: Alert) -> Standing:
    return Standing(alert.state, alert.acknowledged_at, alert.acknowledged_by_name, alert.level, alert.told)


def derived(alert: Alert, steps: Sequence[AlertStep]) -> Standing:
    escalated = [step for step in steps if step.step == Step.ESCALATED]
    told = list(dict.fromkeys([*alert.to, *(role for step in escalated for role in step.roles)]))
    said = next((step for step in steps if step.step == Step.ACKNOWLEDGED), None)
    if said is None:
        return Standing(State.WAITING, None, "", len(escalated), told)
    return Standing(State.ACKNOWLEDGED, said.at, said.person_name, len(escalated), told)


def standings_differ(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    alerts = Alert.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for alert in alerts.prefetch_related("steps"):
        steps = sorted(alert.steps.all(), key=lambda step: step.entry_index)
        if kept(alert) != derived(alert, steps):
            yield alert.entry_index, "who was told, or when and by whom it was acknowledged, is not what its steps say."
