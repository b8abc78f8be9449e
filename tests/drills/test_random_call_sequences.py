"""Services called in any order: each call is refused or recorded in full, and every invariant holds."""

from pathlib import Path

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis.stateful import run_state_machine_as_test
from pytest_django import Settings

from rounds.ledger.signing.checkpoints import create_key_file
from tests.drills.call_sequences.disputes import AnyDisputes
from tests.drills.call_sequences.ledger import AnyLedger
from tests.drills.call_sequences.notices import AnyNotices
from tests.drills.call_sequences.promotions import AnyPromotions
from tests.drills.call_sequences.state_machine import ServiceCallMachine
from tests.drills.support.full_length import is_time_up, repetitions, seed


@pytest.mark.parametrize("machine", [AnyLedger, AnyDisputes, AnyNotices, AnyPromotions], ids=lambda it: it.name)
def test_any_sequence_keeps_the_invariants(
    machine: type[ServiceCallMachine], db: None, settings: Settings, tmp_path: Path
) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    create_key_file(settings.LEDGER_KEY_FILE)
    for turn in range(repetitions(1, full=25)):
        if turn and is_time_up():
            break
        assert_invariants_hold(hypothesis.seed(seed() * 1000 + turn)(machine))


def assert_invariants_hold(machine: type[ServiceCallMachine]) -> None:
    """Each machine asserts its own, after every call and at the end."""
    run_state_machine_as_test(
        machine,
        settings=hypothesis.settings(
            max_examples=repetitions(2, full=3),
            stateful_step_count=repetitions(20, full=50),
            deadline=None,
            database=None,
            # Failing sequences are reported as they are: shrinking would take longer than all others.
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
