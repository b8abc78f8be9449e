"""The intruder drill: every URL and role, then each attack in turn, on real servers."""

from tests.drills.support.full_length import run_full_length
from tests.drills.support.verdict import Verdict

WAYS_IN = (
    # Every URL × every role, another casino's ids, cross-site forms, frames, redirects, hosts, timing.
    "tests/contracts/test_permission_matrix.py",
    "tests/contracts/test_every_list_is_exported.py",
    "tests/drills/test_intruder.py",
    # A script in every text, in page, PDF, e-mail and spreadsheet; extra form fields; files and addresses.
    "tests/drills/test_intruder_texts.py",
    "tests/drills/test_intruder_emails.py",
    "tests/drills/test_intruder_reports.py",
    "tests/drills/test_intruder_forms.py",
    # Guessing passwords and codes, sessions, re-authentication.
    "tests/compliance/core/accounts/auth/test_lockout.py",
    "tests/compliance/core/accounts/auth/test_second_factor.py",
    "tests/compliance/core/accounts/auth/test_session_timeout.py",
    "tests/compliance/core/accounts/auth/test_reauthenticate.py",
    # Replayed and reordered batches, stale and foreign signatures, decompression bombs; expired tokens.
    "tests/rounds/intake/api/test_rejected_input.py",
    "tests/rounds/intake/services/test_batches.py",
    "tests/rounds/intake/services/test_exactly_once.py",
    "tests/compliance/api/test_tokens.py",
    # Webhook URLs that resolve to internal addresses, in every spelling, by DNS and by redirect.
    "tests/compliance/notify/webhooks/delivery/test_address_policy.py",
    "tests/compliance/notify/webhooks/delivery/test_http_client.py",
    # Secrets in the source.
    "tests/contracts/test_source_holds_no_secrets.py",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_full_length("intruder", WAYS_IN, seed=seed, minutes=minutes)
