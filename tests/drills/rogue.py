"""The rogue administrator drill: a database superuser changes something, and verification finds it."""

from tests.drills.support.full_length import run_full_length
from tests.drills.support.verdict import Verdict

TESTS = ("tests/rounds/ledger/verify/test_threats.py", "tests/drills/test_rogue.py")


def drill(seed: int, minutes: float) -> Verdict:
    return run_full_length("rogue", TESTS, seed=seed, minutes=minutes)
