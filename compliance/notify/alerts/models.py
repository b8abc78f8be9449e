"""Alerts, their steps, and the escalation rules. What was raised is fixed; the state changes only as in states.py."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from compliance.core.accounts.ledger.person_act import ReasonedActModel
from compliance.core.accounts.models import Casino, User, person_reference
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.local_time import with_local_clocks
from compliance.core.web.ui.components import Tag
from compliance.notify.alerts.states import AlertState, AlertStepKind
from rounds.ledger import LedgerModel, encode_timestamp

KEPT = ("SELECT", "INSERT", "UPDATE")
APPEND_ONLY = ("SELECT", "INSERT")


class AlertQuerySet(models.QuerySet["Alert"]):
    def waiting(self) -> "AlertQuerySet":
        return self.filter(state=AlertState.WAITING)

    def addressed_to(self, *roles: str) -> "AlertQuerySet":
        """Addressed to one of the roles, or escalated to it."""
        condition = Q()
        for role in roles:
            condition |= Q(told__contains=[role])
        return self.filter(condition) if roles else self.none()


class Alert(LedgerModel):
    """A duty to notify somebody. Written with its entry by the service whose act or finding requires it. Its content
    never changes; `state`, `level`, `told` and the later times follow its steps. Kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    duty = models.SlugField(max_length=48)
    to = models.JSONField()
    statement = models.CharField(max_length=500)
    clause = models.CharField(max_length=80)
    table = models.CharField(max_length=50, blank=True)
    # The ledger entry that it is about, if any.
    about_log = models.TextField(blank=True)
    about_index = models.BigIntegerField(null=True)
    fact_at = models.DateTimeField()
    raised_at = models.DateTimeField()
    raised_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    raised_by_name = models.CharField(max_length=120, blank=True)
    is_immediate = models.BooleanField()

    state = models.CharField(max_length=16, choices=AlertState.choices, default=AlertState.WAITING)
    level = models.PositiveSmallIntegerField(default=0)
    # Every role notified so far: `to`, then those of the ladder.
    told = models.JSONField()
    escalates_at = models.DateTimeField(null=True)
    # Time of the first e-mail to a role in `to`; e-mails of the ladder do not count.
    delivered_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by_name = models.CharField(max_length=120, blank=True)

    objects = AlertQuerySet.as_manager()
    app_privileges = KEPT

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["-raised_at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["casino", "state", "-raised_at"], name="alert_of_casino"),
            models.Index(fields=["casino", "table", "-raised_at"], name="alert_of_table"),
            models.Index(fields=["about_log", "about_index"], name="alert_about"),
            models.Index(fields=["escalates_at"], condition=Q(state="waiting"), name="alert_to_escalate"),
        ]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.CheckConstraint(condition=Q(state__in=AlertState.values), name="alert_state_is_known"),
            models.CheckConstraint(
                condition=Q(state="waiting", acknowledged_at=None, acknowledged_by_name="")
                | (Q(state="acknowledged", acknowledged_at__isnull=False) & ~Q(acknowledged_by_name="")),
                name="alert_acknowledged_by_a_person",
            ),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def reference(self) -> str:
        return f"Alert {self.entry_index:,}"

    @property
    def is_waiting(self) -> bool:
        return self.state == AlertState.WAITING

    @property
    def local_statement(self) -> str:
        """The statement with the casino's local times instead of times in UTC, as pages and e-mails show it."""
        return with_local_clocks(self.statement, self.fact_at, self.casino)

    @property
    def addressees(self) -> str:
        return role_labels(self.to)

    @property
    def tag(self) -> Tag:
        if not self.is_waiting:
            return Tag("Acknowledged", "info")
        if self.level:
            return Tag("Escalated", "danger")
        return Tag("Not acknowledged", "warning")

    @property
    def acknowledgers(self) -> frozenset[str]:
        """Roles that can acknowledge: those notified so far.
        An alert for the government can only be acknowledged by the government."""
        is_for_government = GOVERNMENT_ROLES.issuperset(self.to)
        return frozenset(role for role in self.told if not is_for_government or role in GOVERNMENT_ROLES)

    def entry_body(self) -> dict[str, Any]:
        return {
            "duty": self.duty,
            "to": self.to,
            "statement": self.statement,
            "clause": self.clause,
            "table": self.table or None,
            "about": {"log": self.about_log, "index": self.about_index} if self.about_index is not None else None,
            "fact_at": encode_timestamp(self.fact_at),
            "at": encode_timestamp(self.raised_at),
            "by": person_reference(self.raised_by_id, self.raised_by_name) if self.raised_by_id else None,
            "immediately": self.is_immediate,
        }


def role_labels(roles: list[str]) -> str:
    """Inspector or Authority officer."""
    return " or ".join(Role(role).label for role in roles)


class AlertStep(LedgerModel):
    """One step of an alert after it was raised: sent, failed, escalated or acknowledged; when, and to or by whom.
    Written by the workers and by acknowledge_alert. Never changed; kept for ever."""

    alert = models.ForeignKey(Alert, models.PROTECT, related_name="steps")
    step = models.CharField(max_length=16, choices=AlertStepKind.choices)
    at = models.DateTimeField()
    level = models.PositiveSmallIntegerField()
    roles = models.JSONField(default=list)
    person = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    person_name = models.CharField(max_length=120, blank=True)
    attempt = models.PositiveSmallIntegerField(null=True)
    detail = models.CharField(max_length=300, blank=True)

    read_with = ("alert",)
    app_privileges = APPEND_ONLY

    class Meta(LedgerModel.Meta):
        abstract = False
        ordering: ClassVar = ["at", "entry_index"]
        indexes: ClassVar = [models.Index(fields=["alert", "at"], name="alert_step_of_alert")]
        constraints: ClassVar = [
            *LedgerModel.Meta.constraints,
            models.CheckConstraint(condition=Q(step__in=AlertStepKind.values), name="alert_step_is_known"),
            models.UniqueConstraint(fields=["alert"], condition=Q(step="acknowledged"), name="alert_acknowledged_once"),
            models.UniqueConstraint(
                fields=["alert", "level"], condition=Q(step="escalated"), name="alert_escalated_once_a_level"
            ),
            models.UniqueConstraint(
                fields=["alert", "level", "person"], condition=Q(step="sent"), name="alert_sent_once_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_step_display()}, {self.at:%Y-%m-%d %H:%M} UTC"

    def entry_body(self) -> dict[str, Any]:
        return {
            "alert": self.alert.entry_index,
            "step": self.step,
            "at": encode_timestamp(self.at),
            "level": self.level,
            "roles": self.roles,
            "person": person_reference(self.person_id, self.person_name) if self.person_id else None,
            "attempt": self.attempt,
            "detail": self.detail or None,
        }


class EscalationRuleQuerySet(models.QuerySet["EscalationRule"]):
    def in_force(self, casino_id: int, is_immediate: bool, at: datetime) -> "EscalationRule | None":
        set_by_then = self.filter(casino_id=casino_id, is_immediate=is_immediate, at__lte=at)
        return set_by_then.order_by("-at", "-pk").first()


class EscalationRule(ReasonedActModel):
    """The escalation ladder of a casino for alerts raised from this time on. The newest rule applies. Set by a
    compliance or authority officer with a reason. Never changed; kept for ever."""

    casino = models.ForeignKey(Casino, models.PROTECT, related_name="+")
    is_immediate = models.BooleanField()
    rungs = models.JSONField()

    objects = EscalationRuleQuerySet.as_manager()
    app_privileges = APPEND_ONLY

    class Meta(ReasonedActModel.Meta):
        abstract = False
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"Ladder of {self.casino}"

    def entry_body(self) -> dict[str, Any]:
        return {"immediately": self.is_immediate, "rungs": self.rungs, **self.act_fields()}
