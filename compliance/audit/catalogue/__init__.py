"""The catalogue of finding codes. A code is never renamed or removed, because reports and decisions cite it.

base.py     FindingCode, Severity, Source, and the lookup of a code's clauses in a rule pack
play.py     settlements, wagers, streaks, conduct of a round
tables.py   odds, limits, chips, closings, faults, equipment, the feed
records.py  disputes and promotions

The help page "findings" prints this table. Which codes are checked follows from the registered checks.
"""

from collections.abc import Mapping

from compliance.audit.catalogue import play, records, tables
from compliance.audit.catalogue.base import FindingCode

FAMILIES: Mapping[str, tuple[FindingCode, ...]] = {
    "Settlements": play.SETTLEMENT,
    "Wagers": play.WAGERS,
    "Super Streak": play.STREAKS,
    "Rounds": play.ROUNDS,
    "Odds": tables.ODDS,
    "Limits": tables.LIMITS,
    "Chips and vouchers": tables.CHIPS,
    "Closings": tables.CLOSURES,
    "Faults": tables.FAULTS,
    "Equipment": tables.EQUIPMENT,
    "Feed and ledger": tables.FEED,
    "Disputes": records.DISPUTES,
    "Promotions": records.PROMOTIONS,
}
ALL_CODES = tuple(code for family in FAMILIES.values() for code in family)
CODES_BY_NAME: Mapping[str, FindingCode] = {code.name: code for code in ALL_CODES}
