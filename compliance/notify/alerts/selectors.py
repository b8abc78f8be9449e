"""Reads of alerts. An alert is reached only through access_alert; absent and forbidden both raise NotFound."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound
from compliance.notify.alerts.models import Alert, AlertQuerySet
from compliance.notify.alerts.states import AlertState

# They see every alert of their casino, because they have the duty or must see that it is done.
MAY_READ_ALL = GOVERNMENT_ROLES | {
    Role.CASINO_SUPERVISOR,
    Role.GAMES_SUPERVISOR,
    Role.SHIFT_MANAGER,
    Role.COMPLIANCE_OFFICER,
}
MAY_READ = MAY_READ_ALL | {Role.MARKETING}


def access_alert(user: User, casino: Casino, entry_index: int) -> Alert:
    """An alert by the index of its entry, which is its reference everywhere."""
    alert = alerts_visible_to(user, casino).filter(log=casino.slug, entry_index=entry_index).first()
    if alert is None:
        raise NotFound
    return alert


def alerts_visible_to(user: User, casino: Casino) -> AlertQuerySet:
    """Floor staff and government: all alerts of the casino. Others: those they raised or were notified of."""
    alerts = Alert.objects.filter(casino=casino).select_related("casino")
    if user.has_role(*MAY_READ_ALL, casino=casino):
        return alerts
    roles = [held.role for held in user.roles_now() if held.casino == casino]
    return alerts.filter(Q(raised_by=user) | Q(pk__in=Alert.objects.addressed_to(*roles).values("pk"))).order_by(
        "-raised_at", "-pk"
    )


def search_alerts(alerts: AlertQuerySet, *, state: str, table: str, duty: str, role: str) -> AlertQuerySet:
    if state == "escalated":
        alerts = alerts.waiting().filter(level__gt=0)
    elif state in AlertState.values:
        alerts = alerts.filter(state=state)
    if table:
        alerts = alerts.filter(table=table)
    if duty:
        alerts = alerts.filter(duty=duty)
    return alerts.addressed_to(role) if role else alerts


def alerts_waiting_for(user: User, casino: Casino) -> AlertQuerySet:
    """Alerts that this person can acknowledge."""
    roles = [held.role for held in user.roles_now() if held.casino == casino]
    notified = Alert.objects.waiting().filter(casino=casino).select_related("casino").addressed_to(*roles)
    if GOVERNMENT_ROLES.intersection(roles):
        return notified
    # The operator cannot acknowledge what the government must be notified of.
    for_government = Q(to__contained_by=[role.value for role in GOVERNMENT_ROLES])
    return notified.exclude(for_government)


def alerts_about(log: str, indexes: Collection[int]) -> AlertQuerySet:
    """Alerts about these entries."""
    return Alert.objects.filter(about_log=log, about_index__in=list(indexes)).select_related("casino")


def duties_of(casino: Casino) -> list[str]:
    return sorted(Alert.objects.filter(casino=casino).order_by().values_list("duty", flat=True).distinct())


@dataclass(frozen=True)
class Notification:
    """When somebody was notified of an entry by an alert;
    otherwise since when an alert that may still reach them is open."""

    told_at: datetime | None = None
    open_since: datetime | None = None


def notification_of_entry(log: str, index: int) -> Notification:
    """The earlier of e-mail and acknowledgement. Neither, once an alert was escalated without one of them."""
    alerts = list(alerts_about(log, [index]))
    notified_times = [min(filter(None, (each.delivered_at, each.acknowledged_at)), default=None) for each in alerts]
    known = [at for at in notified_times if at is not None]
    if known:
        return Notification(min(known))
    return Notification(open_since=min((each.raised_at for each in alerts if each.level == 0), default=None))
