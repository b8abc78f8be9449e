"""The entries that alerts write, and the rows that stand for them."""

from compliance.alerts.states import Step
from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_projection, register_record

RAISED = "alert-raised"
LADDER_SET = "alert-ladder-set"
MEANINGS = {
    Step.SENT: "A person was told of an alert by e-mail.",
    Step.FAILED: "An alert could not be delivered to a person, or there is nobody to deliver it to.",
    Step.ESCALATED: "An alert was not acknowledged in time, and further people are told.",
    Step.ACKNOWLEDGED: "A person says that they were told.",
}


def kind_of(step: Step | str) -> str:
    return f"alert-{step}"


def register_kinds() -> None:
    from compliance.alerts.models import Alert, AlertStep, EscalationRule
    from compliance.alerts.standing import standings_differ

    register_kind(RAISED, "Somebody has to be told: whom, of what, by which clause.")
    register_kind(LADDER_SET, "Who is told next when nobody acknowledges an alert, and after how many minutes.")
    register_record(RAISED, Alert.recorded_between)
    register_record(LADDER_SET, EscalationRule.recorded_between)
    for step, meaning in MEANINGS.items():
        register_kind(kind_of(step), meaning)
        register_record(kind_of(step), AlertStep.recorded_between)
    register_projection("how alerts stand", [RAISED], standings_differ)
