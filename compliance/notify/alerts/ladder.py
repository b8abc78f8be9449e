"""Escalation ladder:
who is notified next when nobody acknowledges, and after how many minutes. A casino can set its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from compliance.core.accounts.roles import Role

if TYPE_CHECKING:
    from compliance.notify.alerts.models import Alert

MAX_MINUTES = 24 * 60


@dataclass(frozen=True)
class EscalationRung:
    """So many minutes after the alert was raised, these roles are notified as well."""

    minutes: int
    roles: tuple[Role, ...]

    def due_at(self, raised_at: datetime) -> datetime:
        return raised_at + timedelta(minutes=self.minutes)

    def as_json(self) -> dict[str, Any]:
        return {"minutes": self.minutes, "roles": [role.value for role in self.roles]}


def read_rungs(stored: Sequence[Mapping[str, Any]]) -> tuple[EscalationRung, ...]:
    return tuple(EscalationRung(rung["minutes"], tuple(Role(role) for role in rung["roles"])) for rung in stored)


# No document sets a time. These are short enough that staff are still at the table; readings.md N29 asks for the time
# to be measured, not limited.
IMMEDIATE_LADDER = (
    EscalationRung(5, (Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER)),
    EscalationRung(15, (Role.AUTHORITY_OFFICER, Role.CASINO_SUPERVISOR)),
)
USUAL_LADDER = (
    EscalationRung(60, (Role.COMPLIANCE_OFFICER,)),
    EscalationRung(240, (Role.SHIFT_MANAGER, Role.AUTHORITY_OFFICER)),
)


def ladder_of(alert: Alert) -> tuple[EscalationRung, ...]:
    """The ladder that the casino had set when the alert was raised, or the default."""
    from compliance.notify.alerts.models import EscalationRule

    rule = EscalationRule.objects.in_force(alert.casino_id, alert.is_immediate, alert.raised_at)
    return read_rungs(rule.rungs) if rule else default_ladder(alert.is_immediate)


def default_ladder(is_immediate: bool) -> tuple[EscalationRung, ...]:
    return IMMEDIATE_LADDER if is_immediate else USUAL_LADDER
