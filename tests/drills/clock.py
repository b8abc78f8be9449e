"""Every case about clocks as one scenario, with more jumps than `make test` tries, on servers of its own.

The server's clock jumps, controllers are minutes apart, clocks go forward and back, leap day, days over midnight.
"""

from tests.drills.full import run_in_full
from tests.drills.verdict import Verdict

# Where a case about clocks is told beside what it is about.
CASES = (
    "tests/drills/test_clock.py",
    "tests/rounds/floor/test_gaming_days.py",
    "tests/rounds/intake/test_times_ahead.py",
    "tests/rounds/intake/test_silence.py",
    "tests/compliance/audit/test_feed.py",
    "tests/compliance/web/test_local_times.py",
    "tests/compliance/signs/test_showing.py::test_a_controllers_clock_that_is_off_is_moved_to_ours",
    "tests/compliance/patrons/test_retention.py::test_a_leap_day_is_never_a_day_too_few",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_in_full("clock", CASES, seed=seed, minutes=minutes)
