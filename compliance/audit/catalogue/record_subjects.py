"""Which records a finding is about, for pages of records: the entry that was checked, unless stated here.

Evidence alone does not make a finding one about a record: a draw held without a scrutineer rests on the terms, but the
terms are in order.
"""

from collections.abc import Mapping

from compliance.audit.catalogue import play_codes, record_codes, table_codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.disputes.entry_kinds import LOGGED
from promotions.claims.entry_kinds import DECIDED as CLAIM_DECIDED
from promotions.draws.entry_kinds import WINNER
from rounds.intake import entry_kinds

ROUNDS = frozenset({entry_kinds.ROUND})
SIGNS = frozenset({entry_kinds.SIGN_SHOWN, entry_kinds.SIGN_REMOVED})
DICE = frozenset({entry_kinds.DICE_PLACED})
SHAKERS = frozenset({entry_kinds.SHAKER_PLACED})
# By code, the kinds of entries among the evidence that the finding is about.
ABOUT_EVIDENCE: Mapping[FindingCode, frozenset[str]] = {
    play_codes.ROUND_NOT_VOID: ROUNDS,
    play_codes.ROUND_REASON: ROUNDS,
    # A wager that runs over several rounds.
    play_codes.STREAK_MISCOUNT: ROUNDS,
    play_codes.STREAK_WINDOW: ROUNDS,
    play_codes.STREAK_FINAL_CALL: SIGNS,
    play_codes.STREAK_NO_CALL: SIGNS,
    table_codes.LIMIT_SHORT_NOTICE: SIGNS,
    table_codes.LIMIT_SIGN_INCOMPLETE: SIGNS,
    table_codes.LIMIT_EARLY: SIGNS,
    table_codes.LIMIT_NOT_SHOWN: SIGNS,
    table_codes.CLOSE_NO_SIGN: SIGNS,
    table_codes.CLOSE_SHORT_NOTICE: SIGNS,
    table_codes.CLOSE_EARLY: SIGNS,
    table_codes.FAULT_PLAY: ROUNDS | {entry_kinds.FAULT},
    table_codes.FAULT_NOT_TOLD: ROUNDS | {entry_kinds.FAULT},
    table_codes.DICE_24H: DICE,
    table_codes.DICE_DAMAGED: DICE,
    table_codes.SHAKER_SWAP: SHAKERS,
    table_codes.CARDS_FOREIGN: ROUNDS,
    record_codes.DISPUTE_UPHELD: ROUNDS,
    record_codes.DISPUTE_OVERDUE: frozenset({LOGGED}),
    record_codes.PROMO_WINNER_LATE: frozenset({WINNER}),
    record_codes.PROMO_DENIAL_NOT_TOLD: frozenset({CLAIM_DECIDED}),
}
# Their subject is the first entry after a deadline, whatever it is about. It only proves that the deadline has passed.
PROVEN_BY_SUBJECT = frozenset(
    {
        table_codes.FAULT_NOT_TOLD,
        record_codes.DISPUTE_OVERDUE,
        record_codes.PROMO_WINNER_LATE,
        record_codes.PROMO_DENIAL_NOT_TOLD,
    }
)
