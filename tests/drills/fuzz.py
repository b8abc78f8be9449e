"""Whatever is called in whatever order, whatever is sent: refused in words, never a crash or a broken record."""

from tests.drills.full import run_in_full
from tests.drills.verdict import Verdict

TESTS = (
    "tests/drills/test_any_bytes.py",
    "tests/rounds/intake/test_openapi.py",
    "tests/compliance/inspectorate/test_openapi.py",
    "tests/compliance/evidence/test_public.py::test_any_question_for_a_proof_is_answered_or_refused_in_words",
    "tests/drills/test_any_sequence.py",
)


def drill(seed: int, minutes: float) -> Verdict:
    return run_in_full("fuzz", TESTS, seed=seed, minutes=minutes)
