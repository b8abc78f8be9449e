"""The catalogue: every code a finding can bear. Codes are for ever, because reports and decisions cite them.

play.py     settlements, wagers, streaks, the conduct of a round
tables.py   odds, limits, chips, closings, faults, equipment, the feed
records.py  disputes and promotions

The help page "findings" prints this table; which codes are checked today follows from the registered checks.
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
