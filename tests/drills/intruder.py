"""The intruder drill: every address and every role, then each way in, one after the other, with real servers."""

from tests.drills.support.full_length import run_full_length
from tests.drills.support.verdict import Verdict

WAYS_IN = (
    # Every address × every role, another casino's numbers, forms from other sites, frames, redirects, hosts, timing.
    "tests/contracts/test_permission_matrix.py",
    "tests/contracts/test_every_list_is_exported.py",
    "tests/drills/test_intruder.py",
    # A script in every text, in page, paper, e-mail and spreadsheet; fields that no form has; files and addresses.
    "tests/drills/test_intruder_texts.py",
    "tests/drills/test_intruder_emails.py",
    "tests/drills/test_intruder_reports.py",
    "tests/drills/test_intruder_forms.py",
    # Guessing passwords and codes, sessions, sign-off.
    "tests/compliance/core/accounts/auth/test_lockout.py",
    "tests/compliance/core/accounts/auth/test_second_factor.py",
    "tests/compliance/core/accounts/auth/test_session_timeout.py",
    "tests/compliance/core/accounts/auth/test_reauthenticate.py",
    # Replayed and re-ordered batches, stale and foreign signatures, bombs; tokens that ended.
    "tests/rounds/intake/api/test_rejected_input.py",
    "tests/rounds/intake/services/test_batches.py",
    "tests/rounds/intake/services/test_exactly_once.py",
    "tests/compliance/api/test_tokens.py",
    # Addresses of webhooks that lead inside, in every spelling, by resolver and by redirect.
    "tests/compliance/notify/webhooks/delivery/test_address_policy.py",
    "tests/compliance/notify/webhooks/delivery/test_http_client.py",
    # What is in the source that should not be.
    "tests/contracts/test_source_holds_no_secrets.py",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_full_length("intruder", WAYS_IN, seed=seed, minutes=minutes)
