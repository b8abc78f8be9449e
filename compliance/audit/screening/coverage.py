"""Declares which finding codes the fast path covers. A test fails for a code of rounds that is in neither table.

COVERED_CODES: by the function that selects the rounds. EXEMPT_CODES: with the reason why no selection is needed. What
the columns do not represent fully (rounds/intake/columns/round_encoding.py) is always checked exactly. That each code
is found through the screening is proved by the breach cases in tests/compliance/audit/test_detection_matrix.py.
"""

from collections.abc import Callable, Mapping

from compliance.audit.catalogue import play_codes, table_codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.context import round_groups
from compliance.audit.screening import affected_rounds, screen

COVERED_CODES: Mapping[Callable[..., object], tuple[FindingCode, ...]] = {
    screen.rounds_to_check: (play_codes.ROUND_NO_RULES,),
    round_groups.may_be_void: (play_codes.ROUND_TUMBLES, play_codes.ROUND_NO_PRESS, play_codes.SETTLE_SHOULD_BE_VOID),
    screen.is_out_of_order: (play_codes.ROUND_ORDER, play_codes.ROUND_EXPOSED, play_codes.ROUND_PAID_FIRST),
    screen.is_display_wrong: (play_codes.ROUND_LIT, table_codes.LIMIT_SOURCES),
    screen.wagers_to_check: (
        play_codes.SETTLE_OVERPAID,
        play_codes.SETTLE_UNDERPAID,
        play_codes.SETTLE_LOSER_PAID,
        play_codes.SETTLE_WINNER_UNPAID,
        play_codes.SETTLE_VOID_KEPT,
        play_codes.SETTLE_CLIP,
        play_codes.SETTLE_ROUNDING,
        play_codes.SETTLE_PAY_TABLE,
        play_codes.SETTLE_TOKEN,
        play_codes.SETTLE_READING,
        play_codes.WAGER_LATE,
        play_codes.WAGER_EARLY,
        play_codes.WAGER_WITHDRAWN_LATE,
        play_codes.WAGER_UNAPPROVED,
        play_codes.WAGER_UNOFFERED,
        play_codes.WAGER_TENDER,
        play_codes.WAGER_REFUSED,
        play_codes.WAGER_REFUSED_UNPROVEN,
        play_codes.WAGER_UNDER_MIN,
        play_codes.WAGER_NO_WARNING,
        table_codes.LIMIT_OVER_MAX,
    ),
    affected_rounds.affected_rounds: (
        table_codes.FAULT_PLAY,
        table_codes.FAULT_NOT_TOLD,
        table_codes.DICE_24H,
        table_codes.DICE_DAMAGED,
        table_codes.SHAKER_SWAP,
        play_codes.ROUND_NOT_VOID,
        table_codes.CARDS_FOREIGN,
        play_codes.ROUND_CARDS,
        table_codes.CHIPS_VALUE,
        table_codes.CHIPS_ELSEWHERE,
        table_codes.INSPECT_SHIFT,
        table_codes.FEED_CLOSED_TABLE,
        table_codes.LIMIT_NOT_SHOWN,
        play_codes.WAGER_EXCLUDED,
    ),
}
_STREAKS = "The column `laid_on` marks every Super Streak wager for an exact check."
EXEMPT_CODES: Mapping[FindingCode, str] = {
    play_codes.ROUND_CALLED: "A round whose result was called differently is not plain.",
    play_codes.ROUND_ENTRY: "A round whose result was entered differently is not plain.",
    play_codes.ROUND_DISPLAY: "A round whose result was displayed differently is not plain.",
    play_codes.ROUND_REASON: "A round without a result, or voided later, is not plain.",
    play_codes.WAGER_UNREGISTERED: "The column `laid_on` marks an unregistered wager for an exact check.",
    play_codes.WAGER_OUTSIDE_BOX: "The column `laid_on` marks a wager across the lines for an exact check.",
    table_codes.LIMIT_PLAYER_SIGN: "A round with limits of a single player is not plain.",
    play_codes.STREAK_MISCOUNT: _STREAKS,
    play_codes.STREAK_WINDOW: _STREAKS,
    play_codes.STREAK_AMOUNT: _STREAKS,
    play_codes.STREAK_SCREEN: _STREAKS,
    play_codes.STREAK_FINAL_CALL: _STREAKS,
}
