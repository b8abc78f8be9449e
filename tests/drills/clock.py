"""The clock drill: all tests about clocks, with more jumps than in `make test`, on its own servers.

The server's clock jumps, controllers are minutes apart, daylight saving, leap day, days over midnight.
"""

from tests.drills.support.full_length import run_full_length
from tests.drills.support.verdict import Verdict

# Tests about clocks that are in their subjects' files.
CASES = (
    "tests/drills/test_clock.py",
    "tests/rounds/floor/facts/test_gaming_days.py",
    "tests/rounds/intake/protocol/test_timestamps.py",
    "tests/rounds/intake/services/test_feed_silence.py",
    "tests/compliance/audit/checks/test_feed.py",
    "tests/compliance/core/web/test_local_time.py",
    "tests/compliance/tables/signs/test_sign_display.py::test_a_controllers_clock_that_is_off_is_moved_to_ours",
    "tests/compliance/privacy/personal_data/test_retention.py::test_a_leap_day_is_never_a_day_too_few",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_full_length("clock", CASES, seed=seed, minutes=minutes)
