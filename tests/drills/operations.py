"""The operations drill: back up, lose the disk, recover to the last commit, upgrade, replace, rotate every secret."""

from tests.drills.support.full_length import run_full_length
from tests.drills.support.verdict import Verdict

WAYS_BACK = (
    "tests/drills/operations_full_length.py",
    "tests/compliance/config/backups/test_backup_and_restore.py",
    "tests/operations/test_upgrade.py",
    "tests/rounds/ledger/maintenance/test_rotate_key.py",
    "tests/compliance/core/accounts/auth/test_secret_key_rotation.py",
    "tests/rounds/floor/services/test_controllers.py",
    "tests/compliance/config/help/test_runbook.py",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_full_length("operations", WAYS_BACK, seed=seed, minutes=minutes)
