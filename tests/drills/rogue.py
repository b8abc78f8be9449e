"""The rogue administrator: whoever may do everything in the database changes something, and is found out."""

from tests.drills.support.full_length import run_full_length
from tests.drills.support.verdict import Verdict

TESTS = ("tests/rounds/ledger/verify/test_threats.py", "tests/drills/test_rogue.py")


def drill(seed: int, minutes: float) -> Verdict:
    return run_full_length("rogue", TESTS, seed=seed, minutes=minutes)
