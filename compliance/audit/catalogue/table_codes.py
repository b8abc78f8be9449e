"""Finding codes of tables (odds, limits, chips, closings, faults, equipment) and of the feed."""

from compliance.audit.catalogue.finding_code import OWN_DUTY, breach, has_cards, has_dice, note, serious

ODDS_BELOW_MINIMUM = serious(
    "ODDS-BELOW-MINIMUM",
    "Posted for {what}: {found}; at least {required} must be offered.",
    "Posted odds are below the least that the rules allow.",
    "duties.posted_odds.minimum_clause",
    remedy="Post odds that are at least the minimum of the rules.",
)
ODDS_WORDING = breach(
    "ODDS-WORDING",
    "{what} is worded {found}; the rules ask for {required}.",
    "Odds are written in a way that the rules forbid.",
    "duties.odds_wording",
    remedy="Word the odds as the rules ask.",
)

LIMIT_OVER_MAX = note(
    "LIMIT-OVER-MAX",
    "{what} was above the maximum of {required} and was handed back {found}.",
    "A wager above the maximum. Found on a later game it may stand: then nothing is at stake.",
    "law.settlement.over_maximum",
    remedy="Check the maximum that applied; hand back what is above it.",
)
LIMIT_NO_SIGN = serious(
    "LIMIT-NO-SIGN",
    "The minimum became {found} without a sign; {required} of notice are due.",
    "A minimum was raised although no sign had announced it.",
    "duties.minimum_raise",
    remedy="Announce the new minimum with a sign and wait for the notice before you raise it.",
)
LIMIT_SHORT_NOTICE = serious(
    "LIMIT-SHORT-NOTICE",
    "The sign stood for {found} before the minimum rose; {required} are due.",
    "A minimum was raised before the sign had stood long enough.",
    "duties.minimum_raise",
    remedy="Choose a later time, so that the sign stands for the whole notice.",
)
LIMIT_SIGN_INCOMPLETE = breach(
    "LIMIT-SIGN-INCOMPLETE",
    "The sign showed {found}; it must show {required}.",
    "A sign did not show the new minimum or the time of the change.",
    "duties.minimum_raise",
    remedy="Put up a sign that shows the new minimum and the time of the change.",
)
LIMIT_EARLY = breach(
    "LIMIT-EARLY",
    "The new minimum applied at {found}; the sign said {required}.",
    "New limits applied before the time that the sign had given.",
    "duties.minimum_raise",
    remedy="Let the new limits apply from the time on the sign, not before.",
)
LIMIT_RANK = breach(
    "LIMIT-RANK",
    "The limits were changed by {found}; {required} must do it.",
    "Limits were changed by somebody whom the rules do not name for it.",
    "duties.minimum_raise",
    remedy="Have the limits changed by the rank that the rules name.",
)
LIMIT_NOT_SHOWN = breach(
    "LIMIT-NOT-SHOWN",
    "{what}: no sign showed the limits at {found}; {required}.",
    "A table opened or played without a sign that shows its minimum and maximum.",
    "duties.limits_shown",
    remedy="Put up the sign with the minimum and maximum before play begins, and record it.",
)
LIMIT_SOURCES = note(
    "LIMIT-SOURCES",
    "The sign in the round says {found}; the limits on record are {required}.",
    "The sign that a round reports is not what was on record for the table.",
    "duties.limits_shown",
    remedy="Make the sign and the limits on record the same.",
)
LIMIT_PLAYER_SIGN = breach(
    "LIMIT-PLAYER-SIGN",
    "{what} exceeded the maximum at {found}; no sign showed {required}.",
    "A player had limits of their own without a sign that showed them.",
    "duties.player_limits",
    remedy="Put up the sign with the player's limits before a wager above the maximum is taken.",
)

CHIPS_VALUE = breach(
    "CHIPS-VALUE",
    "{what} {found}; {required}.",
    "A chip without denomination was not worth what it was issued at, lacked its marker, or was issued at a value that "
    "the rules do not allow.",
    "duties.colour_chips.marker_above_minimum_clause",
    remedy="Correct the value or put the marker button on the chips.",
)
CHIPS_COLOUR = breach(
    "CHIPS-COLOUR",
    "{what} was issued: {found}; {required}.",
    "A colour was given to two players, or a player had several, without the consent it needs.",
    "duties.colour_chips.several_colours_clause",
    remedy="Give another colour, or record the consent that the rules ask for.",
)
CHIPS_ELSEWHERE = breach(
    "CHIPS-ELSEWHERE",
    "{what} was wagered at {found}; {required} issued it.",
    "Chips without denomination were wagered at a table that had not issued them.",
    "duties.colour_chips.only_at_table_clause",
    remedy="Take chips without denomination only at the table that issued them.",
)
CHIPS_REDEEMED = breach(
    "CHIPS-REDEEMED",
    "{what} was redeemed: {found}; {required}.",
    "Chips were redeemed away from their table, or not at their value.",
    "duties.colour_chips.redeemed_clause",
    remedy="Redeem the chips at the table that issued them, at their value.",
)
VOUCHER_VALUE = breach(
    "VOUCHER-VALUE",
    "{what} became tokens of {found}; its value is {required}.",
    "A voucher was not exchanged at its value or on its conditions.",
    "duties.voucher",
    remedy="Hand out tokens of the voucher's value, and only if its conditions are met.",
)

CLOSE_NO_SIGN = serious(
    "CLOSE-NO-SIGN",
    "The table closed at {found} without a sign; {required} of notice are due.",
    "A table closed on players without a closure sign.",
    "duties.closure_sign",
    remedy="Put up the closure sign and wait for the notice before you close.",
)
CLOSE_SHORT_NOTICE = serious(
    "CLOSE-SHORT-NOTICE",
    "The closure sign stood for {found}; {required} are due.",
    "A table closed before its closure sign had stood long enough.",
    "duties.closure_sign",
    remedy="Close later, when the sign has stood for the whole notice.",
)
CLOSE_EARLY = note(
    "CLOSE-EARLY",
    "The table closed at {found}; its sign said {required}.",
    "A table closed before the time on its sign, which had stood long enough. A breach where the rules are read so.",
    "duties.closure_sign",
    remedy="Close at the time on the sign.",
)
CLOSE_RANK = breach(
    "CLOSE-RANK",
    "The table was closed on its players by {found}; {required} must do it.",
    "A table with players was closed by somebody whom the rules do not name for it.",
    "duties.closure_sign",
    remedy="Have the table closed by the rank that the rules name.",
)
CLOSE_OFFICER = breach(
    "CLOSE-OFFICER",
    "The table closed at {found}; {required} had not been told before.",
    "Whoever must be told before a closing was not.",
    "duties.closure_notification",
    remedy="Notify whom the rules name before you close the table.",
)

FAULT_PLAY = serious(
    "FAULT-PLAY",
    "A round began at {found}; the fault was cleared at {required}.",
    "Play went on while the equipment was at fault. Lights that failed in a round without a fault report are found at "
    "the next round of the table.",
    "duties.equipment_fault",
    remedy="Play no round until the fault is repaired and the repair recorded.",
)
FAULT_NOT_TOLD = serious(
    "FAULT-NOT-TOLD",
    "{required} had not been told of {what} by {found}.",
    "Whoever must be told of a fault at once was not. Lights that failed in a round without a fault report are found "
    "at the next round of the table, or at its closing.",
    "duties.equipment_fault",
    remedy="Tell whom the rules name at once, and record it.",
)
FAULT_NOT_CEASED = breach(
    "FAULT-NOT-CEASED",
    "Gaming did not cease for {what}: {found}, {required}.",
    "Gaming did not cease after a fault.",
    "duties.equipment_fault",
    remedy="Stop play and record when it stopped.",
)
FAULT_UNWITNESSED = breach(
    "FAULT-UNWITNESSED",
    "{what} was settled before {found}; {required} must be present.",
    "A round with a fault was settled without the person who must see it.",
    "duties.equipment_fault",
    remedy="Have the wagers settled in the presence of the person whom the rules name.",
)

DICE_24H = breach(
    "DICE-24H",
    "{what} was on the table for {found}; {required} is the most.",
    "Dice stayed on a table too long.",
    "duties.dice_custody",
    has_dice,
    remedy="Change the dice in time, and record the removal when it happens.",
)
DICE_DAMAGED = serious(
    "DICE-DAMAGED",
    "{what} was played with {found}, which was removed as damaged at {required}.",
    "Dice that had been removed from the table as damaged were used again. Dice that were removed for another reason "
    "may be put to use again, and have no finding.",
    "conduct.damaged_dice",
    has_dice,
    remedy="Use other dice; damaged dice are not put to use again.",
)
DICE_UNSEALED = breach(
    "DICE-UNSEALED",
    "{what} was put to use at {found}, reported as not sealed; {required}.",
    "Dice were put to use that were not sealed inside the tumbler or shaker.",
    "conduct.sealed_dice",
    has_dice,
    remedy="Use only dice that are sealed in the tumbler or shaker.",
)
INSPECT_OPENING = breach(
    "INSPECT-OPENING",
    "The table opened without a complete inspection of {found}.",
    "An inspection before opening is missing or too short.",
    "duties.inspections",
    remedy="Inspect the equipment as often as the rules ask before the table opens.",
)
INSPECT_SHIFT = breach(
    "INSPECT-SHIFT",
    "{what} was not inspected at the start of the shift: {found}, {required} due.",
    "An inspection at the start of a shift is missing or too short.",
    "duties.inspections",
    remedy="Inspect the equipment at the start of the shift, as often as the rules ask.",
)
INSPECT_RANK = breach(
    "INSPECT-RANK",
    "{what} was inspected by {found}; {required} must do it.",
    "An inspection was made by somebody whom the rules do not name for it.",
    "duties.inspections",
    remedy="Have the inspection made by the rank that the rules name.",
)
SHAKER_SWAP = breach(
    "SHAKER-SWAP",
    "{found} was used while {required} was still at the table.",
    "A manual shaker was used before the automated one had been taken away.",
    "duties.shaker_swap",
    has_dice,
    remedy="Remove the automated shaker first, and record it.",
)
CARDS_COUNT = serious(
    "CARDS-COUNT",
    "{what} held {found} cards; {required} belong in it.",
    "A shoe or its decks did not hold the cards that they should, or foreign cards among them.",
    "conduct.cards",
    has_cards,
    remedy="Count the cards again and record the new count.",
)
CARDS_FOREIGN = serious(
    "CARDS-FOREIGN",
    "A foreign card was found in {what}: {found}; {required}.",
    "A card that belongs to no deck in use was found, and the round was not made void.",
    "law.void.foreign-card",
    has_cards,
    remedy="Make the round void and hand its stakes back.",
)

FEED_GAP = breach(
    "FEED-GAP",
    "{what}: {found}; every number from 1 to {required} is expected.",
    "Numbers of a controller's feed never came.",
    OWN_DUTY,
    remedy="Send the missing lines again from the controller.",
)
FEED_CONFLICT = serious(
    "FEED-CONFLICT",
    "{what} came twice with different bytes: {found}, {required}.",
    "A controller said two different things under one number.",
    OWN_DUTY,
    remedy="Find out which of the two is true, and put the recorded one right with a correction.",
)
FEED_LATE = note(
    "FEED-LATE",
    "{what} came {found} after it happened; {required} is the most.",
    "A line was sent long after what it reports.",
    OWN_DUTY,
    remedy="Check the connection of the controller; lines are sent as soon as they are written.",
)
FEED_SKEW = note(
    "FEED-SKEW",
    "The clock of {what} was {found}; {required} is the most.",
    "A controller's clock is wrong.",
    OWN_DUTY,
    remedy="Set the clock of the controller.",
)
FEED_SILENT = breach(
    "FEED-SILENT",
    "{what} was silent for {found}; {required} is the most.",
    "An open table's controller gave no sign of life.",
    OWN_DUTY,
    remedy="Check the controller and its connection; record the closing if the table is closed.",
)
FEED_ROUND_NAME = breach(
    "FEED-ROUND-NAME",
    "{what} was reported before, as {found}; a name is used once in a gaming day.",
    "Two rounds of one table and gaming day have the same name.",
    OWN_DUTY,
    remedy="Give each round of a gaming day its own name; take a round that was reported twice back with a correction.",
)
FEED_ROUND_OVERLAP = breach(
    "FEED-ROUND-OVERLAP",
    "{what} overlaps {found}: each began before the other had a result.",
    "Two rounds of one table were reported for the same time.",
    OWN_DUTY,
    remedy="Check the times; take a wrong round back with a correction and report it again.",
)
FEED_ROUND_GAMING_DAY = breach(
    "FEED-ROUND-GAMING-DAY",
    "{what} was reported for the gaming day {found}; {required}.",
    "A round was reported for a gaming day in which it was not played.",
    OWN_DUTY,
    remedy="Check the cut-over that the controller uses; take the round back with a correction and report it again.",
)
FEED_ROUND_TERMINAL = breach(
    "FEED-ROUND-TERMINAL",
    "{what} has wagers from {found}, which its table does not have.",
    "A wager came from a terminal that is not on record for its table.",
    OWN_DUTY,
    remedy="Record the terminals of the table, or correct the terminal that the controller reports.",
)
FEED_CHIPS_COUNT = breach(
    "FEED-CHIPS-COUNT",
    "{what} was redeemed: {found}; {required}.",
    "A table redeemed more chips of a colour than it had issued and players can have won.",
    OWN_DUTY,
    remedy="Check the number and colour of the chips that were issued and redeemed.",
)
FEED_NO_PLAYERS = note(
    "FEED-NO-PLAYERS",
    "The table was reported closed without players {found} after {what}, which had wagers; {required} is the least.",
    "A table was reported closed without players moments after a round with wagers. They may have left at once.",
    OWN_DUTY,
    remedy="Check whether players were at the table; if so, the closing needs its sign.",
)
FEED_CLOSED_TABLE = breach(
    "FEED-CLOSED-TABLE",
    "{what} began at {found}; the table was reported closed at {required} and not opened again.",
    "A table that was reported closed went on reporting rounds.",
    OWN_DUTY,
    remedy="Record the opening of the table before rounds are played.",
)
FEED_SIGNATURE = serious(
    "FEED-SIGNATURE",
    "{found} batches under the key of {what} were refused; {required}.",
    "Batches came whose signature was not the controller's.",
    OWN_DUTY,
    remedy="Check who sent the batches and whether the controller signs with the key that is registered.",
)
FEED_QUARANTINE = breach(
    "FEED-QUARANTINE",
    "{what} could not be read and is in quarantine: {found}, {required}.",
    "A line was refused and waits in quarantine.",
    OWN_DUTY,
    remedy="Correct the line and send it again under the same number.",
)
LEDGER_BROKEN = serious(
    "LEDGER-BROKEN",
    "{what} does not fit: {found}, {required}.",
    "A verification of the ledger found something altered.",
    OWN_DUTY,
    remedy="Have those who run the service compare the log with its copies and its witnesses.",
)
CHECKPOINT_LATE = breach(
    "CHECKPOINT-LATE",
    "{what} was signed {found} after the one before; {required} is the most.",
    "A log went unsigned for too long.",
    OWN_DUTY,
    remedy="Have those who run the service check the worker that signs the logs.",
)
