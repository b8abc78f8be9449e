"""Codes of play: settlements, wagers, streaks, the conduct of a round."""

from compliance.audit.codes import Code, Severity, Source

_SERIOUS, _BREACH, _NOTE = Severity.SERIOUS, Severity.BREACH, Severity.NOTE
_ROUND, _TIMELINE = Source.ROUND, Source.TIMELINE

SETTLEMENT = (
    Code(
        "SETTLE-OVERPAID", _SERIOUS, _ROUND,
        "{what} was handed back {found}; {required} was due.",
        "A winning wager was paid more than its odds.", "law.pay_table",
    ),
    Code(
        "SETTLE-UNDERPAID", _SERIOUS, _ROUND,
        "{what} was handed back {found}; {required} was due.",
        "A winning wager was paid less than its odds.", "law.pay_table",
    ),
    Code(
        "SETTLE-LOSER-PAID", _SERIOUS, _ROUND,
        "{what} lost and was handed back {found}; {required} was due.",
        "A losing wager was paid, or its stake given back.", "law.wager",
    ),
    Code(
        "SETTLE-WINNER-UNPAID", _SERIOUS, _ROUND,
        "{what} won and was handed back {found}; {required} was due.",
        "A winning wager was collected, or only its stake given back.", "law.wager",
    ),
    Code(
        "SETTLE-VOID-KEPT", _SERIOUS, _ROUND,
        "{what} was void and was handed back {found}; {required} was due.",
        "A void wager's stake was not given back whole.", "law.void",
    ),
    Code(
        "SETTLE-SHOULD-BE-VOID", _SERIOUS, _ROUND,
        "{what} should have been void: {found} was handed back, not {required}.",
        "A round or wager was settled although the rules make it void.", "law.void",
    ),
    Code(
        "SETTLE-CLIP", _SERIOUS, _ROUND,
        "{what} was above the maximum and was handed back {found}; {required} was due.",
        "A wager above the maximum was not settled up to the maximum, or what is above it was not given back.",
        "law.settlement.over_maximum",
    ),
    Code(
        "SETTLE-ROUNDING", _BREACH, _ROUND,
        "{what} was handed back {found}; rounded as the rules say, {required} was due.",
        "Winnings that cannot be paid exactly were rounded another way than the rules say.", "law.settlement.payable",
    ),
    Code(
        "SETTLE-PAY-TABLE", _SERIOUS, _ROUND,
        "{what} was paid {found} by another pay table; {required} was due.",
        "The wager was paid by a pay table that is not that of its terminal.", "law.pay_table",
    ),
    Code(
        "SETTLE-TOKEN", _SERIOUS, _ROUND,
        "{what}, a promotional token, was handed back {found}; {required} was due.",
        "A promotional token was settled like chips, or its winnings were not paid in chips.",
        "law.settlement.promotional_token",
    ),
    Code(
        "SETTLE-READING", _BREACH, _ROUND,
        "Wagers were settled by the reading {found} of {what}; {required} is adopted.",
        "A clause can be read in more than one way, and wagers were settled by a way that was not adopted. All such "
        "wagers under one rule version are one finding, with the money under each reading.", "readings",
    ),
)  # fmt: skip

WAGERS = (
    Code(
        "WAGER-LATE", _SERIOUS, _ROUND,
        "{what} was placed or raised after the close and settled: {found}, not {required}.",
        "A wager, or part of one, came after betting had closed and was settled all the same.", "conduct.late_wagers",
    ),
    Code(
        "WAGER-WITHDRAWN-LATE", _SERIOUS, _ROUND,
        "{what} was taken back after the close: {found}, not {required}.",
        "A wager was taken back or lowered after betting had closed, and was not settled as it stood.",
        "conduct.late_wagers",
    ),
    Code(
        "WAGER-UNAPPROVED", _SERIOUS, _ROUND,
        "{what} is not a wager of {required}, and was handed back {found}.",
        "The rule version has no such wager.", "law.pay_table",
    ),
    Code(
        "WAGER-UNOFFERED", _BREACH, _ROUND,
        "{what} was not offered at this table, and was handed back {found}.",
        "The wager is optional and this table had not offered it.", "law.wager",
    ),
    Code(
        "WAGER-TENDER", _BREACH, _ROUND,
        "{what} was made with {found}; {required} may be used.",
        "The wager was made with something the rules do not accept, or spoken without what must accompany it.",
        "conduct.tenders",
    ),
    Code(
        "WAGER-UNDER-MIN", _NOTE, _ROUND,
        "{what} was under the minimum of {required} and was handed back {found}.",
        "A wager under the table's minimum. Where the rules say what becomes of it and the table did otherwise, the "
        "amounts say so.", "law.settlement.under_minimum",
    ),
    Code(
        "WAGER-UNREGISTERED", _SERIOUS, _ROUND,
        "{what} was not registered and was handed back {found}, not {required}.",
        "A wager that the terminal had not registered was settled instead of being given back.",
        "law.settlement.unregistered",
    ),
)  # fmt: skip

STREAKS = (
    Code(
        "STREAK-MISCOUNT", _SERIOUS, _TIMELINE,
        "{what} stood at {required}; the table had {found}.",
        "A Super Streak was counted or settled otherwise than the results say, or the screen showed another count.",
        "law.streak",
    ),
    Code(
        "STREAK-WINDOW", _BREACH, _TIMELINE,
        "{what} was placed at {found}; it could be placed {required}.",
        "A Super Streak wager was taken while a streak was running or after the round had begun.",
        "duties.streak_offer.window_clause",
    ),
    Code(
        "STREAK-FINAL-CALL", _BREACH, _TIMELINE,
        "{what} was placed at {found}, after the final call at {required}.",
        "A Super Streak wager was taken after the final call.", "duties.streak_closing",
    ),
    Code(
        "STREAK-AMOUNT", _BREACH, _TIMELINE,
        "{what} was of {found}; {required} is required.",
        "A Super Streak wager was not of the amount on the sign.", "duties.streak_offer.amount_clause",
    ),
    Code(
        "STREAK-SCREEN", _BREACH, _TIMELINE,
        "{what} {found}; {required}.",
        "Super Streak was played at a table without the screen or layout for it.", "duties.streak_offer.clause",
    ),
    Code(
        "STREAK-OPEN-AT-CLOSE", _SERIOUS, _TIMELINE,
        "The table closed at {found} with {what} still open.",
        "A table closed while Super Streak wagers were not determined.", "duties.streak_closing",
    ),
)  # fmt: skip

ROUNDS = (
    Code(
        "ROUND-ORDER", _BREACH, _ROUND,
        "{what}: {found}; {required}.",
        "The events of the round came in another order than the rules lay down, or one is missing.", "conduct.order",
    ),
    Code(
        "ROUND-TUMBLES", _SERIOUS, _ROUND,
        "{what} came {found} times; at least {required} are needed.",
        "The dice were tumbled, triggered or shaken too few times.", "conduct.agitation",
    ),
    Code(
        "ROUND-EXPOSED", _SERIOUS, _ROUND,
        "The result was in sight at {found}; betting closed at {required}.",
        "Dice or cards could be seen before betting had closed.", "law.void.exposed-early",
    ),
    Code(
        "ROUND-NO-PRESS", _BREACH, _ROUND,
        "No more bets was not pressed before the cover came off at {found}.",
        "At a touch-screen table the button was not pressed in time.", "law.void.nmb-not-pressed",
    ),
    Code(
        "ROUND-CALLED", _BREACH, _ROUND,
        "{found} was called; the result is {required}.",
        "The result was called otherwise than it lay.", "conduct.call",
    ),
    Code(
        "ROUND-ENTRY", _BREACH, _ROUND,
        "{found} was entered; the result is {required}.",
        "The result was keyed in otherwise than it lay.", "conduct.entry",
    ),
    Code(
        "ROUND-LIT", _BREACH, _ROUND,
        "{found} lit up; {required} should have.",
        "The areas that lit up are not those that won.", "conduct.entry",
    ),
    Code(
        "ROUND-PAID-FIRST", _BREACH, _ROUND,
        "Winners were paid at {found}, before losers were collected at {required}.",
        "Winning wagers were paid before losing ones had been collected.", "duties.pay_order",
    ),
    Code(
        "ROUND-REASON", _BREACH, _ROUND,
        "The round was declared without result for {found}; the rules know {required}.",
        "A round has no result for a reason that the rules do not list.", "law.void",
    ),
    Code(
        "ROUND-NO-RULES", _SERIOUS, _ROUND,
        "{what} cannot be judged: {found}.",
        "A round was played while no approved rules were in force for it.",
    ),
    Code(
        "ROUND-CARDS", _SERIOUS, _ROUND,
        "{what}: {found}; {required}.",
        "The cards of a round cannot have come from the shoe in use.", "conduct.cards",
    ),
)  # fmt: skip
