"""What was confirmed without a warning is not found later, and every finding about an act was predicted."""

import os
from collections import Counter
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.agreement.acts import ActsAtTable
from tests.compliance.disputes.disputed_round import Floor, floor

__all__ = ["floor"]

RULE_SETS = ("nsw-sic-bo", "rws-sic-bo-etg", "mbs-3-card-sic-bo", "skycity-big-and-small", "licensee-sic-bo")
EXAMPLES, STEPS = int(os.environ.get("EXAMPLES", "4")), int(os.environ.get("STEPS", "12"))
IS_SAMPLE = "EXAMPLES" not in os.environ


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_pre_check_and_the_audit_agree(rules: str, floor: Floor, capsys: pytest.CaptureFixture[str]) -> None:
    class Acts(ActsAtTable):
        rule_set = rules
        tally: ClassVar[Counter[str]] = Counter()

    Acts.floor = floor
    run_state_machine_as_test(
        Acts,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize=IS_SAMPLE,
            database=None,
            phases=(Phase.generate,) if IS_SAMPLE else (Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Acts.tally["acts"] > 0
    with capsys.disabled():
        if not IS_SAMPLE:
            print(f"\n{rules}: {dict(Acts.tally)}, disagreements 0")
