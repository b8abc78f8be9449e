"""Acts that change how stored rounds are judged: facts, rules and notifications are predicted as they will be."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from compliance.audit.prediction.predict import predict_findings
from compliance.notify.alerts.models import Alert
from compliance.notify.alerts.services import acknowledge_alert
from compliance.tables.equipment.services.floor_records import record_manual_line
from rounds.floor.fact_values import LimitsValue, WagersOfferedValue
from rounds.floor.services import record_fact, retract_fact
from rounds.intake.protocol.equipment import Fault
from rounds.intake.protocol.fields import Staff
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import propose_ruling
from tests.agreement.acts import EveryAct
from tests.compliance.audit.round_builders import START, wager

SUPERVISOR = Staff(position="casino-supervisor")


def test_limits_that_were_replaced_hold_again_when_the_later_ones_are_retracted(machine: EveryAct) -> None:
    machine.play((1, 2, 4), stake=60_000)
    lower: dict[str, Any] = {"value": LimitsValue(min=500, max=900), "effective_at": machine.now - timedelta(hours=1)}
    fact = machine.act(record_fact, "sid", casino=machine.casino, table=machine.table, **lower)
    machine.act(retract_fact, "sid", fact=fact, reason="Never so.")
    assert machine.tally.disagreements == []
    assert machine.tally.of("retract_fact").findings


def test_a_ruling_for_the_past_changes_what_a_round_was_owed(machine: EveryAct) -> None:
    offered = {"value": WagersOfferedValue(wagers=("even",)), "effective_at": START}
    record_fact(casino=machine.casino, table=machine.table, actor=machine.person("sid"), now=machine.now, **offered)  # type: ignore[arg-type]
    started = machine.now - START - timedelta(minutes=5)
    machine.house.play((2, 4, 4), wager("even", 1_000, 0), later=started, now=machine.now)
    machine.consume()
    version = RuleVersion.objects.approved().get(casino=machine.casino)
    ruled: dict[str, Any] = {"reading": "even", "choice": "every-even-total", "reasons": "As meant."}
    ruling = machine.act(propose_ruling, "ines", version=version, wanted_at=machine.now, **ruled)
    said: dict[str, Any] = {"time_zone": "Australia/Sydney", "evidence": "Gazetted.", "edge_reason": "Printed so."}
    approve = partial(approve_version, version=ruling, effective_at=START, now=machine.now, **said)
    [planned] = predict_findings(lambda: approve(actor=machine.person("alf")))
    assert [(each.code, each.required_cents, each.found_cents) for each in planned.drafts] == [
        ("SETTLE-READING", 2_000, 0)
    ]


def test_the_notification_of_a_fault_is_late_when_it_is_acknowledged_late(machine: EveryAct) -> None:
    body = Fault(fault="f-1", equipment="electrical-device", effect="failed", by=SUPERVISOR)
    said: dict[str, Any] = {"kind": "fault", "body": body, "at": machine.now}
    machine.act(record_manual_line, "sid", table=machine.table, **said)
    machine.consume()
    machine.pass_time(timedelta(hours=2))
    for alert in Alert.objects.filter(casino=machine.casino):
        machine.act(acknowledge_alert, "ines", alert=alert)
    assert machine.tally.disagreements == []
    assert machine.tally.of("acknowledge_alert").recorded
