"""Finding codes of tables (odds, limits, chips, closings, faults, equipment) and of the feed."""

from compliance.audit.catalogue.finding_code import FindingCode, Severity, Source

_SERIOUS, _BREACH, _NOTE = Severity.SERIOUS, Severity.BREACH, Severity.NOTE
_ROUND, _TIMELINE, _FEED = Source.ROUND, Source.TIMELINE, Source.FEED

ODDS = (
    FindingCode(
        "ODDS-BELOW-MINIMUM",
        _SERIOUS,
        _TIMELINE,
        "Posted for {what}: {found}; at least {required} must be offered.",
        "Posted odds are below the least that the rules allow.",
        "duties.posted_odds.minimum_clause",
    ),
    FindingCode(
        "ODDS-WORDING",
        _BREACH,
        _TIMELINE,
        "{what} is worded {found}; the rules ask for {required}.",
        "Odds are written in a way that the rules forbid.",
        "duties.odds_wording",
    ),
)

LIMITS = (
    FindingCode(
        "LIMIT-OVER-MAX",
        _NOTE,
        _ROUND,
        "{what} was above the maximum of {required} and was handed back {found}.",
        "A wager above the maximum. Found on a later game it may stand: then nothing is at stake.",
        "law.settlement.over_maximum",
    ),
    FindingCode(
        "LIMIT-NO-SIGN",
        _SERIOUS,
        _TIMELINE,
        "The minimum became {found} without a sign; {required} of notice are due.",
        "A minimum was raised although no sign had announced it.",
        "duties.minimum_raise",
    ),
    FindingCode(
        "LIMIT-SHORT-NOTICE",
        _SERIOUS,
        _TIMELINE,
        "The sign stood for {found} before the minimum rose; {required} are due.",
        "A minimum was raised before the sign had stood long enough.",
        "duties.minimum_raise",
    ),
    FindingCode(
        "LIMIT-SIGN-INCOMPLETE",
        _BREACH,
        _TIMELINE,
        "The sign showed {found}; it must show {required}.",
        "A sign did not show the new minimum or the time of the change.",
        "duties.minimum_raise",
    ),
    FindingCode(
        "LIMIT-EARLY",
        _BREACH,
        _TIMELINE,
        "The new minimum applied at {found}; the sign said {required}.",
        "New limits applied before the time that the sign had given.",
        "duties.minimum_raise",
    ),
    FindingCode(
        "LIMIT-SOURCES",
        _NOTE,
        _TIMELINE,
        "The sign in the round says {found}; the limits on record are {required}.",
        "The sign that a round reports is not what was on record for the table.",
        "duties.limits_shown",
    ),
    FindingCode(
        "LIMIT-PLAYER-SIGN",
        _BREACH,
        _TIMELINE,
        "{what} exceeded the maximum at {found}; no sign showed {required}.",
        "A player had limits of their own without a sign that showed them.",
        "duties.player_limits",
    ),
)

CHIPS = (
    FindingCode(
        "CHIPS-VALUE",
        _BREACH,
        _TIMELINE,
        "{what} counted {found} a chip; at issue {required} was fixed.",
        "A chip without denomination was not worth what it was issued at, or lacked its marker.",
        "duties.colour_chips.marker_above_minimum_clause",
    ),
    FindingCode(
        "CHIPS-COLOUR",
        _BREACH,
        _TIMELINE,
        "{what} was issued: {found}; {required}.",
        "A colour was given to two players, or a player had several, without the consent it needs.",
        "duties.colour_chips.several_colours_clause",
    ),
    FindingCode(
        "CHIPS-REDEEMED",
        _BREACH,
        _TIMELINE,
        "{what} was redeemed: {found}; {required}.",
        "Chips were redeemed away from their table, or not at their value.",
        "duties.colour_chips.redeemed_clause",
    ),
    FindingCode(
        "VOUCHER-VALUE",
        _BREACH,
        _TIMELINE,
        "{what} became tokens of {found}; its value is {required}.",
        "A voucher was not exchanged at its value or on its conditions.",
        "duties.voucher",
    ),
)

CLOSURES = (
    FindingCode(
        "CLOSE-NO-SIGN",
        _SERIOUS,
        _TIMELINE,
        "The table closed at {found} without a sign; {required} of notice are due.",
        "A table closed on players without a closure sign.",
        "duties.closure_sign",
    ),
    FindingCode(
        "CLOSE-SHORT-NOTICE",
        _SERIOUS,
        _TIMELINE,
        "The closure sign stood for {found}; {required} are due.",
        "A table closed before its closure sign had stood long enough.",
        "duties.closure_sign",
    ),
    FindingCode(
        "CLOSE-OFFICER",
        _BREACH,
        _TIMELINE,
        "The table closed at {found}; {required} had not been told before.",
        "Whoever must be told before a closing was not.",
        "duties.closure_notification",
    ),
)

FAULTS = (
    FindingCode(
        "FAULT-PLAY",
        _SERIOUS,
        _TIMELINE,
        "A round began at {found}; the fault was cleared at {required}.",
        "Play went on while the equipment was at fault.",
        "duties.equipment_fault",
    ),
    FindingCode(
        "FAULT-NOT-TOLD",
        _SERIOUS,
        _TIMELINE,
        "{required} had not been told of {what} by {found}.",
        "Whoever must be told of a fault at once was not.",
        "duties.equipment_fault",
    ),
    FindingCode(
        "FAULT-NOT-CEASED",
        _BREACH,
        _TIMELINE,
        "Gaming did not cease for {what}: {found}, {required}.",
        "Gaming did not cease after a fault.",
        "duties.equipment_fault",
    ),
    FindingCode(
        "FAULT-UNWITNESSED",
        _BREACH,
        _TIMELINE,
        "{what} was settled before {found}; {required} must be present.",
        "A round with a fault was settled without the person who must see it.",
        "duties.equipment_fault",
    ),
)

EQUIPMENT = (
    FindingCode(
        "DICE-24H",
        _BREACH,
        _TIMELINE,
        "{what} was on the table for {found}; {required} is the most.",
        "Dice stayed on a table too long.",
        "duties.dice_custody",
    ),
    FindingCode(
        "INSPECT-OPENING",
        _BREACH,
        _TIMELINE,
        "The table opened without an inspection of {what}: {found} trials, {required} due.",
        "An inspection before opening is missing or too short.",
        "duties.inspections",
    ),
    FindingCode(
        "INSPECT-SHIFT",
        _BREACH,
        _TIMELINE,
        "{what} was not inspected at the start of the shift: {found}, {required} due.",
        "An inspection at the start of a shift is missing or too short.",
        "duties.inspections",
    ),
    FindingCode(
        "INSPECT-RANK",
        _BREACH,
        _TIMELINE,
        "{what} was inspected by {found}; {required} must do it.",
        "An inspection was made by somebody whom the rules do not name for it.",
        "duties.inspections",
    ),
    FindingCode(
        "SHAKER-SWAP",
        _BREACH,
        _TIMELINE,
        "{found} was used while {required} was still at the table.",
        "A manual shaker was used before the automated one had been taken away.",
        "duties.shaker_swap",
    ),
    FindingCode(
        "CARDS-COUNT",
        _SERIOUS,
        _TIMELINE,
        "{what} held {found} cards; {required} belong in it.",
        "A shoe or its decks did not hold the cards that they should.",
        "conduct.cards",
    ),
    FindingCode(
        "CARDS-FOREIGN",
        _SERIOUS,
        _TIMELINE,
        "A foreign card was found in {what}: {found}; {required}.",
        "A card that belongs to no deck in use was found, and the round was not made void.",
        "law.void.foreign-card",
    ),
)

FEED = (
    FindingCode(
        "FEED-GAP",
        _BREACH,
        _FEED,
        "{what}: {found} are missing; every number from 1 to {required} is expected.",
        "Numbers of a controller's feed never came.",
    ),
    FindingCode(
        "FEED-CONFLICT",
        _SERIOUS,
        _FEED,
        "{what} came twice with different bytes: {found}, {required}.",
        "A controller said two different things under one number.",
    ),
    FindingCode(
        "FEED-LATE",
        _NOTE,
        _FEED,
        "{what} came {found} after it happened; {required} is the most.",
        "A line was sent long after what it reports.",
    ),
    FindingCode(
        "FEED-SKEW",
        _NOTE,
        _FEED,
        "The clock of {what} was {found} off; {required} is the most.",
        "A controller's clock is wrong.",
    ),
    FindingCode(
        "FEED-SILENT",
        _BREACH,
        _FEED,
        "{what} was silent for {found}; {required} is the most.",
        "An open table's controller gave no sign of life.",
    ),
    FindingCode(
        "FEED-SIGNATURE",
        _SERIOUS,
        _FEED,
        "{found} batches under the key of {what} were refused; {required}.",
        "Batches came whose signature was not the controller's.",
    ),
    FindingCode(
        "FEED-QUARANTINE",
        _BREACH,
        _FEED,
        "{what} could not be read and is in quarantine: {found}, {required}.",
        "A line was refused and waits in quarantine.",
    ),
    FindingCode(
        "LEDGER-BROKEN",
        _SERIOUS,
        _FEED,
        "{what} does not fit: {found}, {required}.",
        "A verification of the ledger found something altered.",
    ),
    FindingCode(
        "CHECKPOINT-LATE",
        _BREACH,
        _FEED,
        "{what} was signed {found} after the one before; {required} is the most.",
        "A log went unsigned for too long.",
    ),
)
