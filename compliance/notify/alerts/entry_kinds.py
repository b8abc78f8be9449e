"""Entry kinds of alerts and of their escalation rules."""

from compliance.core.web.ui.components import Tag
from compliance.notify.alerts.states import AlertStepKind
from rounds.ledger import EntryKind, Reaudit

RAISED = EntryKind(
    "alert-raised",
    "Somebody must be told",
    "{statement}",
    "alerts.Alert",
    webhook_event="alert.raised",
    meaning="Somebody has to be told: whom, of what, by which clause.",
)
LADDER_SET = EntryKind(
    "alert-ladder-set",
    "Escalation of alerts set",
    "{rungs:count step steps}",
    "alerts.EscalationRule",
    meaning="Who is told next when nobody acknowledges an alert, and after how many minutes.",
)
SENT = EntryKind(
    "alert-sent",
    "Told by e-mail",
    "{person[name]}",
    "alerts.AlertStep",
    reaudit=Reaudit.NOTIFIED_ENTRY,
    meaning="A person was told of an alert by e-mail.",
)
FAILED = EntryKind(
    "alert-failed",
    "An alert was not delivered",
    "{detail}",
    "alerts.AlertStep",
    tag=Tag("Not delivered", "danger"),
    meaning="An alert could not be delivered to a person, or there is nobody to deliver it to.",
)
ESCALATED = EntryKind(
    "alert-escalated",
    "An alert was escalated",
    "{detail}",
    "alerts.AlertStep",
    tag=Tag("Escalated", "warning"),
    reaudit=Reaudit.NOTIFIED_ENTRY,
    meaning="An alert was not acknowledged in time, and further people are told.",
)
ACKNOWLEDGED = EntryKind(
    "alert-acknowledged",
    "An alert was acknowledged",
    "{person[name]}",
    "alerts.AlertStep",
    reaudit=Reaudit.NOTIFIED_ENTRY,
    webhook_event="alert.acknowledged",
    meaning="A person says that they were told.",
)
KIND_BY_STEP = {
    AlertStepKind.SENT: SENT,
    AlertStepKind.FAILED: FAILED,
    AlertStepKind.ESCALATED: ESCALATED,
    AlertStepKind.ACKNOWLEDGED: ACKNOWLEDGED,
}
