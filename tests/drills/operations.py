"""The operations drill: back up, lose the disk, come back to the last commit, upgrade, replace, change every secret."""

from tests.drills.full import run_in_full
from tests.drills.verdict import Verdict

WAYS_BACK = (
    "tests/drills/full_operations.py",
    "tests/compliance/config/test_backups.py",
    "tests/operations/test_upgrade.py",
    "tests/rounds/ledger/test_rotating.py",
    "tests/compliance/accounts/test_new_secret_key.py",
    "tests/rounds/floor/test_controllers.py",
    "tests/compliance/config/test_runbook.py",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_in_full("operations", WAYS_BACK, seed=seed, minutes=minutes)
