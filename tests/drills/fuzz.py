"""The fuzz drill: random calls in random order, random bytes: each is refused cleanly, never a crash or bad record."""

from tests.drills.support.full_length import run_full_length
from tests.drills.support.verdict import Verdict

TESTS = (
    "tests/drills/test_random_bytes.py",
    "tests/rounds/intake/api/test_openapi.py",
    "tests/compliance/api/endpoints/test_openapi.py",
    "tests/compliance/transparency/ledger_pages/test_public_pages.py::test_any_question_for_a_proof_is_answered_or_refused_in_words",
    "tests/drills/test_random_call_sequences.py",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_full_length("fuzz", TESTS, seed=seed, minutes=minutes)
