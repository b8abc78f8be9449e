"""The catalogue of finding codes: one entry for each code, from which pages, filters and tests derive.

finding_code.py  FindingCode, Severity, Retirement, and the lookup of a code's clauses in a rule pack
play_codes.py    settlements, wagers, streaks, conduct of a round
table_codes.py   odds, limits, chips, closings, faults, equipment, the feed
record_codes.py  disputes and promotions
record_subjects.py  which records a finding is about

A released code is never renamed or removed, because ledger entries, reports and decisions cite it: it is retired, by
setting `retired` of its entry. `manage.py verify_ledger` reports findings whose code has no entry here.
"""

from collections.abc import Mapping

from compliance.audit.catalogue import play_codes, record_codes, table_codes
from compliance.audit.catalogue.finding_code import OWN_DUTY, FindingCode, serious

# By the first word of a code.
FAMILY_BY_PREFIX = {
    "SETTLE": "Settlements",
    "WAGER": "Wagers",
    "STREAK": "Super Streak",
    "ROUND": "Rounds",
    "ODDS": "Odds",
    "LIMIT": "Limits",
    "CHIPS": "Chips and vouchers",
    "VOUCHER": "Chips and vouchers",
    "CLOSE": "Closings",
    "FAULT": "Faults",
    "DICE": "Equipment",
    "INSPECT": "Equipment",
    "SHAKER": "Equipment",
    "CARDS": "Equipment",
    "FEED": "Feed and ledger",
    "LEDGER": "Feed and ledger",
    "CHECKPOINT": "Feed and ledger",
    "DISPUTE": "Disputes",
    "PROMO": "Promotions",
}
ALL_CODES = tuple(
    value
    for module in (play_codes, table_codes, record_codes)
    for value in vars(module).values()
    if isinstance(value, FindingCode)
)
"""Every code, retired ones included, in the order of the catalogue."""
CODES_BY_NAME: Mapping[str, FindingCode] = {code.name: code for code in ALL_CODES}
FAMILIES: Mapping[str, tuple[FindingCode, ...]] = {
    family: tuple(code for code in ALL_CODES if FAMILY_BY_PREFIX[code.name.partition("-")[0]] == family)
    for family in dict.fromkeys(FAMILY_BY_PREFIX.values())
}
RETIRED_CODES = tuple(code for code in ALL_CODES if code.retired)
CODE_CHOICES = [(code.name, code.name) for code in ALL_CODES]


def code_named(name: str) -> FindingCode:
    """The entry of a recorded code. Without one, a placeholder: `verify_ledger` reports the row, pages show it."""
    unknown = "This code is not in the catalogue."
    return CODES_BY_NAME.get(name) or serious(name, unknown, unknown, OWN_DUTY)
