"""The fast path says for each finding code of rounds how its rounds are selected, or why that is not needed."""

from compliance.audit.checks import round_codes
from compliance.audit.screening.coverage import COVERED_CODES, EXEMPT_CODES


def test_every_code_of_rounds_is_covered_or_exempt_with_a_reason() -> None:
    covered = {code for codes in COVERED_CODES.values() for code in codes}
    assert {code.name for code in round_codes() - covered - set(EXEMPT_CODES)} == set()
    assert {code.name for code in covered | set(EXEMPT_CODES)} - {code.name for code in round_codes()} == set()
    assert covered & set(EXEMPT_CODES) == set()
    assert [code.name for code, reason in EXEMPT_CODES.items() if not reason.endswith(".")] == []
