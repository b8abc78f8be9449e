"""Ledger entry kinds of alerts, and the rows that project them."""

from compliance.notify.alerts.states import StepKind
from rounds.ledger import register_kind, register_projection, register_rows

RAISED = "alert-raised"
LADDER_SET = "alert-ladder-set"
MEANINGS = {
    StepKind.SENT: "A person was told of an alert by e-mail.",
    StepKind.FAILED: "An alert could not be delivered to a person, or there is nobody to deliver it to.",
    StepKind.ESCALATED: "An alert was not acknowledged in time, and further people are told.",
    StepKind.ACKNOWLEDGED: "A person says that they were told.",
}


def entry_kind_of(step: StepKind | str) -> str:
    return f"alert-{step}"


def register_kinds() -> None:
    from compliance.notify.alerts.models import Alert, AlertStep, EscalationRule
    from compliance.notify.alerts.verify import verify_rows

    register_kind(RAISED, "Somebody has to be told: whom, of what, by which clause.")
    register_kind(LADDER_SET, "Who is told next when nobody acknowledges an alert, and after how many minutes.")
    register_rows(RAISED, Alert.rows_between)
    register_rows(LADDER_SET, EscalationRule.rows_between)
    for step, meaning in MEANINGS.items():
        register_kind(entry_kind_of(step), meaning)
        register_rows(entry_kind_of(step), AlertStep.rows_between)
    register_projection("how alerts stand", [RAISED], verify_rows)
