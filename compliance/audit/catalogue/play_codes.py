"""Finding codes of play: settlements, wagers, streaks, conduct of a round."""

from compliance.audit.catalogue.finding_code import (
    OWN_DUTY,
    breach,
    has_cards,
    has_dice,
    has_readings,
    has_several_pay_tables,
    has_streaks,
    has_void_reports,
    may_exclude_players,
    note,
    serious,
    warns_under_minimum,
)

SETTLE_OVERPAID = serious(
    "SETTLE-OVERPAID",
    "{what} was handed back {found}; {required} was due.",
    "A winning wager was paid more than its odds.",
    "law.pay_table",
    remedy="Check stake, bet and amount; if it was paid so, have the overpayment reviewed.",
)
SETTLE_UNDERPAID = serious(
    "SETTLE-UNDERPAID",
    "{what} was handed back {found}; {required} was due.",
    "A winning wager was paid less than its odds.",
    "law.pay_table",
    remedy="Check stake, bet and amount; if it was paid so, pay the player the difference and record it.",
)
SETTLE_LOSER_PAID = serious(
    "SETTLE-LOSER-PAID",
    "{what} lost and was handed back {found}; {required} was due.",
    "A losing wager was paid, or its stake given back.",
    "law.wager",
    remedy="Check result, bet and amount; if it was paid so, have the payment reviewed.",
)
SETTLE_WINNER_UNPAID = serious(
    "SETTLE-WINNER-UNPAID",
    "{what} won and was handed back {found}; {required} was due.",
    "A winning wager was collected, or only its stake given back.",
    "law.wager",
    remedy="Check result, bet and amount; if it was collected, pay the player what is due and record it.",
)
SETTLE_VOID_KEPT = serious(
    "SETTLE-VOID-KEPT",
    "{what} was void and was handed back {found}; {required} was due.",
    "A void wager's stake was not given back whole.",
    "law.void",
    remedy="Hand the whole stake back and record the return.",
)
SETTLE_SHOULD_BE_VOID = serious(
    "SETTLE-SHOULD-BE-VOID",
    "{what} should have been void and was handed back {found}; {required} was due.",
    "A round or wager was settled although the rules make it void.",
    "law.void",
    remedy="Declare it void, hand back the stakes that are owed, and record the return.",
)
SETTLE_CLIP = serious(
    "SETTLE-CLIP",
    "{what} was above the maximum and was handed back {found}; {required} was due.",
    "A wager above the maximum was not settled up to the maximum, or what is above it was not given back.",
    "law.settlement.over_maximum",
    remedy="Settle the wager up to the maximum and hand the rest back.",
)
SETTLE_ROUNDING = breach(
    "SETTLE-ROUNDING",
    "{what} was handed back {found}; {required} was due.",
    "Winnings that cannot be paid exactly were rounded another way than the rules say.",
    "law.settlement.payable",
    remedy="Pay the amount as the rules round it, and record the difference.",
)
SETTLE_PAY_TABLE = serious(
    "SETTLE-PAY-TABLE",
    "{what} was paid {found} by another pay table; {required} was due.",
    "The wager was paid by a pay table that is not that of its terminal.",
    "law.pay_table",
    has_several_pay_tables,
    remedy="Check the layout of the terminal; pay by the pay table that belongs to it.",
)
SETTLE_TOKEN = serious(
    "SETTLE-TOKEN",
    "{what}, a promotional token, was handed back {found}; {required} was due.",
    "A promotional token was settled like chips, or its winnings were not paid in chips.",
    "law.settlement.promotional_token",
    remedy="Settle the token as the rules say for tokens, and pay its winnings in chips.",
)
SETTLE_READING = breach(
    "SETTLE-READING",
    "Wagers were settled by the reading {found} of {what}; {required} is adopted.",
    "A clause can be read in more than one way, and wagers were settled by a way that was not adopted. All such "
    "wagers under one rule version are one finding, with the money under each reading.",
    "readings",
    has_readings,
    remedy="Settle by the adopted reading; another one needs a ruling first.",
)

WAGER_LATE = serious(
    "WAGER-LATE",
    "{what} was placed or raised after the close and was handed back {found}; {required} was due.",
    "A wager, or part of one, came after betting had closed and was settled all the same.",
    "conduct.late_wagers",
    remedy="Hand back what was placed or added after betting had closed.",
)
WAGER_WITHDRAWN_LATE = serious(
    "WAGER-WITHDRAWN-LATE",
    "{what} was taken back after the close and was handed back {found}; {required} was due.",
    "A wager was taken back or lowered after betting had closed, and was not settled as it stood.",
    "conduct.late_wagers",
    remedy="Settle the wager as it stood when betting closed.",
)
WAGER_EARLY = breach(
    "WAGER-EARLY",
    "{what} was placed at {found}; betting opened at {required}.",
    "A wager was placed before betting had opened.",
    "conduct.betting_opens",
    remedy="Check the times; take no wager before betting opens.",
)
WAGER_UNAPPROVED = serious(
    "WAGER-UNAPPROVED",
    "{what} is not a wager of {required}, and was handed back {found}.",
    "The rule version has no such wager.",
    "law.pay_table",
    remedy="Check the bet; take only wagers of the rules in force.",
)
WAGER_UNOFFERED = breach(
    "WAGER-UNOFFERED",
    "{what} was not offered at this table, and was handed back {found}.",
    "The wager is optional and this table had not offered it.",
    "law.wager",
    remedy="Check the bet; record that the table offers the wager before it is taken.",
)
WAGER_TENDER = breach(
    "WAGER-TENDER",
    "{what} was made with {found}; {required} may be used.",
    "The wager was made with something the rules do not accept, or spoken without what must accompany it.",
    "conduct.tenders",
    remedy="Check what the wager was made with; accept only what the rules name.",
)
WAGER_OUTSIDE_BOX = breach(
    "WAGER-OUTSIDE-BOX",
    "{what} did not lie wholly within its box and was handed back {found}.",
    "The chips of a wager lay across the lines of their box. The rules do not say what becomes of it, so it is settled "
    "where the table reports it.",
    "conduct.within_box",
    remedy="Ask the player to place the chips within the box before betting closes.",
)
WAGER_REFUSED = serious(
    "WAGER-REFUSED",
    "{what} was refused though it stood and was handed back {found}; {required} was due.",
    "A wager was refused after betting had closed, or on grounds that the rules do not name. Such a wager is settled "
    "like any other.",
    "duties.wager_refusal",
    remedy="Settle the wager as it stood; refuse wagers only before the close and on grounds of the rules.",
)
WAGER_REFUSED_UNPROVEN = note(
    "WAGER-REFUSED-UNPROVEN",
    "{what} was refused and nothing says that it was {found}; had it stood, {required} would have been due.",
    "A wager was refused. Neither the table nor a record of conduct says what the rules ask of a refusal: its time, "
    "or its grounds.",
    "duties.wager_refusal",
    remedy="Record the refusal with its time and grounds.",
)
WAGER_UNDER_MIN = note(
    "WAGER-UNDER-MIN",
    "{what} was under the minimum of {required} and was handed back {found}.",
    "A wager under the table's minimum. Where the rules say what becomes of it and the table did otherwise, the "
    "amounts say so.",
    "law.settlement.under_minimum",
    remedy="Tell the player of the minimum and record the warning.",
)
WAGER_NO_WARNING = breach(
    "WAGER-NO-WARNING",
    "{what} was under the minimum of {required}; its owner had wagered under it before, and no warning is on record.",
    "A player wagered under the minimum again, and nothing says that the player was told after the earlier wager that "
    "further ones are handed back.",
    "law.settlement.under_minimum",
    warns_under_minimum,
    remedy="Record when the player was told that further wagers under the minimum are handed back.",
)
WAGER_EXCLUDED = breach(
    "WAGER-EXCLUDED",
    "{what} was placed at {found}; {required}.",
    "A person who had been excluded from the game or from the casino wagered again at the same table. The person is "
    "recognised by the player's mark, which lasts one gaming day; where only the seat is known, it is a note about the "
    "next round. What an excluded person does at another table or on another day cannot be told.",
    "duties.device_ban.may_clauses",
    may_exclude_players,
    remedy="Take no wager of an excluded person; withdraw the exclusion if it was recorded by mistake.",
)
WAGER_UNREGISTERED = serious(
    "WAGER-UNREGISTERED",
    "{what} was not registered and was handed back {found}; {required} was due.",
    "A wager that the terminal had not registered was settled instead of being given back.",
    "law.settlement.unregistered",
    remedy="Hand back a wager that the terminal did not register.",
)

STREAK_MISCOUNT = serious(
    "STREAK-MISCOUNT",
    "{what} {required}; the table {found}.",
    "A Super Streak was counted or settled otherwise than the results say, or the screen showed another count.",
    "law.streak",
    has_streaks,
    remedy="Count the results of the table again and correct the count or the payment.",
)
STREAK_WINDOW = breach(
    "STREAK-WINDOW",
    "{what} was placed at {found}; it could be placed {required}.",
    "A Super Streak wager was taken while a streak was running or after the round had begun.",
    "duties.streak_offer.window_clause",
    has_streaks,
    remedy="Take Super Streak wagers only while the rules allow it.",
)
STREAK_FINAL_CALL = breach(
    "STREAK-FINAL-CALL",
    "{what} was placed at {found}, after the final call at {required}.",
    "A Super Streak wager was taken after the final call.",
    "duties.streak_closing",
    has_streaks,
    remedy="Take no Super Streak wager after the final call.",
)
STREAK_NO_CALL = breach(
    "STREAK-NO-CALL",
    "The table closed at {found} after play under its closure sign; the final call for Super Streak is missing.",
    "A table that offers Super Streak closed without the final call.",
    "duties.streak_closing",
    has_streaks,
    remedy="Make the final call for Super Streak before the table closes.",
)
STREAK_AMOUNT = breach(
    "STREAK-AMOUNT",
    "{what} was of {found}; {required} is required.",
    "A Super Streak wager was not of the amount on the sign.",
    "duties.streak_offer.amount_clause",
    has_streaks,
    remedy="Take Super Streak wagers only of the amount on the sign.",
)
STREAK_SCREEN = breach(
    "STREAK-SCREEN",
    "{what} {found}; {required}.",
    "Super Streak was played at a table without the screen or layout for it.",
    "duties.streak_offer.clause",
    has_streaks,
    remedy="Record the screen and layout of the table, or offer no Super Streak there.",
)
STREAK_OPEN_AT_CLOSE = serious(
    "STREAK-OPEN-AT-CLOSE",
    "The table closed at {found} with {what} still open.",
    "A table closed while Super Streak wagers were not determined.",
    "duties.streak_closing",
    has_streaks,
    remedy="Keep the table open until the Super Streak wagers are determined.",
)

ROUND_ORDER = breach(
    "ROUND-ORDER",
    "{what}: {found}; {required}.",
    "The events of the round came in another order than the rules lay down, or one is missing.",
    "conduct.order",
    remedy="Check the times and the order of the events that you entered.",
)
ROUND_TUMBLES = serious(
    "ROUND-TUMBLES",
    "{what} came {found} times; at least {required} are needed.",
    "The dice were tumbled, triggered or shaken too few times.",
    "conduct.agitation",
    has_dice,
    remedy="Check how often the dice were tumbled or shaken.",
)
ROUND_EXPOSED = serious(
    "ROUND-EXPOSED",
    "The result was in sight at {found}; betting closed at {required}.",
    "Dice or cards could be seen before betting had closed.",
    "law.void.exposed-early",
    remedy="Check the times; if the result was in sight before the close, the round is void.",
)
ROUND_NO_PRESS = breach(
    "ROUND-NO-PRESS",
    "No more bets was not pressed before the cover came off at {found}.",
    "At a touch-screen table the button was not pressed in time.",
    "law.void.nmb-not-pressed",
    remedy="Check the times; press “No more bets” before the cover comes off.",
)
ROUND_CALLED = breach(
    "ROUND-CALLED",
    "{found} was called; the result is {required}.",
    "The result was called otherwise than it lay, not in the prescribed form, or by somebody whom the rules do not "
    "name.",
    "conduct.call",
    remedy="Check the call that you entered against the dice or cards.",
)
ROUND_ENTRY = breach(
    "ROUND-ENTRY",
    "{found} was entered; the result is {required}.",
    "The result was keyed in otherwise than it lay, or by somebody whom the rules do not name.",
    "conduct.entry",
    remedy="Check the entered result against the dice or cards.",
)
ROUND_LIT = breach(
    "ROUND-LIT",
    "{found} lit up; {required} should have.",
    "The areas that lit up are not those that won.",
    "conduct.entry",
    remedy="Check which areas lit up; if they were wrong, report a fault.",
)
ROUND_DISPLAY = note(
    "ROUND-DISPLAY",
    "The display {found}; the result is {required}.",
    "A display showed another result than the dice. The rules disregard it: the round is settled by its dice.",
    "conduct.result.disregarded_clause",
    remedy="Report a fault of the display; the round is settled by its dice.",
)
ROUND_PAID_FIRST = breach(
    "ROUND-PAID-FIRST",
    "Winners were paid at {found}, before losers were collected at {required}.",
    "Winning wagers were paid before losing ones had been collected.",
    "duties.pay_order",
    remedy="Check the times; collect losing wagers before paying winning ones.",
)
ROUND_REASON = breach(
    "ROUND-REASON",
    "{what} was declared void: {found}; the rules know {required}.",
    "A round or a person's wagers were declared void for a reason, or by somebody, that the rules do not name.",
    "law.void",
    remedy="Choose a reason that the rules name, and have it declared by whom they name.",
)
ROUND_NO_RULES = serious(
    "ROUND-NO-RULES",
    "{what} cannot be judged: {found}.",
    "A round was played while no approved rules were in force for it.",
    OWN_DUTY,
    remedy="Have the rules approved, and record them for the table, from before the round was played.",
)
ROUND_CARDS = serious(
    "ROUND-CARDS",
    "{what}: {found}; {required}.",
    "The cards of a round cannot have come from the shoe in use: it was another one, or more cards of a face were "
    "dealt than its decks hold.",
    "conduct.cards",
    has_cards,
    remedy="Check the cards and the shoe that you entered.",
)
ROUND_NOT_VOID = serious(
    "ROUND-NOT-VOID",
    "{what} was settled although {found}; {required}.",
    "A round was settled although a report about its equipment or cards makes it void.",
    "law.void",
    has_void_reports,
    remedy="Hand the stakes of the round back and record the return, or correct the report.",
)
