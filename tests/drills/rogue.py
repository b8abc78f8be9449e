"""The rogue administrator: whoever may do everything in the database changes something, and is found out."""

from tests.drills.full import run_in_full
from tests.drills.verdict import Verdict

TESTS = ("tests/rounds/ledger/test_rogue_administrator.py", "tests/drills/test_rogue.py")


def drill(seed: int, minutes: float) -> Verdict:
    return run_in_full("rogue", TESTS, seed=seed, minutes=minutes)
