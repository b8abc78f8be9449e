"""What was confirmed without a warning is not found later, and every finding about an act was predicted."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from rounds.floor.fact_values import LimitsValue
from tests.agreement.acts import EveryAct
from tests.agreement.machine import Scene
from tests.agreement.tally import Tally
from tests.compliance.audit.house import House
from tests.compliance.disputes.disputed_round import Floor, floor

__all__ = ["floor"]

RULE_SETS = ("nsw-sic-bo", "rws-sic-bo-etg", "mbs-3-card-sic-bo", "skycity-big-and-small", "licensee-sic-bo")
EXAMPLES, STEPS = int(os.environ.get("EXAMPLES", "4")), int(os.environ.get("STEPS", "12"))
IS_SAMPLE = "EXAMPLES" not in os.environ


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_pre_check_and_the_audit_agree(rules: str, floor: Floor, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(floor.crew)
    table = house.open_table(rules=rules, limits=LimitsValue(min=500, max=50_000))
    house.audit()

    class Acts(EveryAct):
        scene = Scene(floor, table, rules, Tally())

    run_state_machine_as_test(
        Acts,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=IS_SAMPLE,
            database=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
    tally = Acts.scene.tally
    assert tally.tried > 0
    if not IS_SAMPLE:
        with capsys.disabled():
            print(f"\n{rules}\n{tally.report()}")
    assert not tally.disagreements, "\n\n".join(tally.disagreements[:20])
