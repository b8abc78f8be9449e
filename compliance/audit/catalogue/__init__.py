"""The catalogue of finding codes. A code is never renamed or removed, because reports and decisions cite it.

finding_code.py  FindingCode, Severity, Source, and the lookup of a code's clauses in a rule pack
play_codes.py    settlements, wagers, streaks, conduct of a round
table_codes.py   odds, limits, chips, closings, faults, equipment, the feed
record_codes.py  disputes and promotions

The help page "findings" prints this table. Which codes are checked follows from the registered checks.
"""

from collections.abc import Mapping

from compliance.audit.catalogue import play_codes, record_codes, table_codes
from compliance.audit.catalogue.finding_code import FindingCode

FAMILIES: Mapping[str, tuple[FindingCode, ...]] = {
    "Settlements": play_codes.SETTLEMENT,
    "Wagers": play_codes.WAGERS,
    "Super Streak": play_codes.STREAKS,
    "Rounds": play_codes.ROUNDS,
    "Odds": table_codes.ODDS,
    "Limits": table_codes.LIMITS,
    "Chips and vouchers": table_codes.CHIPS,
    "Closings": table_codes.CLOSURES,
    "Faults": table_codes.FAULTS,
    "Equipment": table_codes.EQUIPMENT,
    "Feed and ledger": table_codes.FEED,
    "Disputes": record_codes.DISPUTES,
    "Promotions": record_codes.PROMOTIONS,
}
ALL_CODES = tuple(code for family in FAMILIES.values() for code in family)
CODES_BY_NAME: Mapping[str, FindingCode] = {code.name: code for code in ALL_CODES}
