"""Codes of what people record: disputes and promotions."""

from compliance.audit.codes import Code, Severity, Source

_SERIOUS, _BREACH, _NOTE = Severity.SERIOUS, Severity.BREACH, Severity.NOTE
_RECORDS = Source.RECORDS

DISPUTES = (
    Code(
        "DISPUTE-DECIDER", _BREACH, _RECORDS,
        "{what} was decided by {found}; {required} decides it.",
        "A dispute was decided by somebody whom the rules do not name for that step.", "duties.disputes.steps",
    ),
    Code(
        "DISPUTE-RANK", _BREACH, _RECORDS,
        "{what} was reviewed by {found}; {required} must do it.",
        "A review was made by the same person, or below the rank it needs.", "duties.disputes.steps",
    ),
    Code(
        "DISPUTE-NO-ADVICE", _BREACH, _RECORDS,
        "{what} was closed at {found} without advice of {required}.",
        "A dissatisfied person was not told of their right.", "duties.disputes.advice",
    ),
    Code(
        "DISPUTE-SKIPPED", _BREACH, _RECORDS,
        "{what} went to {found} without {required}.",
        "A step of the ladder was left out.", "duties.disputes.steps",
    ),
    Code(
        "DISPUTE-OVERDUE", _NOTE, _RECORDS,
        "{what} has waited for {found}; {required} is the most.",
        "A dispute waits for too long.",
    ),
    Code(
        "DISPUTE-UNDECIDED-PAYMENT", _SERIOUS, _RECORDS,
        "{what} was paid {found} before a decision on {required}.",
        "Money moved before the dispute was decided.", "duties.disputes.steps",
    ),
    Code(
        "DISPUTE-UPHELD", _BREACH, _RECORDS,
        "{what} was upheld: {found} had been handed back, {required} was due.",
        "A dispute was decided for the player.", "duties.disputes.steps",
    ),
)  # fmt: skip

PROMOTIONS = (
    Code(
        "PROMO-FILED-LATE", _SERIOUS, _RECORDS,
        "{what} was filed {found} before it began; {required} are due.",
        "Terms reached the Authority too late.", "duties.promotions.filing",
    ),
    Code(
        "PROMO-INCOMPLETE", _BREACH, _RECORDS,
        "The terms of {what} lack {found}; {required}.",
        "Terms do not say all that they must.", "duties.promotions.terms",
    ),
    Code(
        "PROMO-AMENDED", _SERIOUS, _RECORDS,
        "{what} was changed at {found} without approval; it began at {required}.",
        "Terms were changed after the promotion began, without approval.", "duties.promotions.amendment",
    ),
    Code(
        "PROMO-SCRUTINEER", _SERIOUS, _RECORDS,
        "{what}, a prize of {found}, had no scrutineer; above {required} one is due.",
        "A large prize was drawn without a scrutineer.", "duties.promotions.scrutineer",
    ),
    Code(
        "PROMO-PROHIBITED", _SERIOUS, _RECORDS,
        "{what} offers {found}; {required}.",
        "A prize is of a kind that may not be given.", "duties.promotions.prohibited",
    ),
    Code(
        "PROMO-CASH-CHOICE", _BREACH, _RECORDS,
        "The winner of {found} was not given the choice due above {required}: {what}.",
        "A winner of a large cash prize could not choose how it is paid.", "duties.promotions.cash_choice",
    ),
    Code(
        "PROMO-CASH-ALTERNATIVE", _BREACH, _RECORDS,
        "{what} has a cash alternative of {found} that its terms lack: {required}.",
        "A cash alternative is not in the terms.", "duties.promotions.cash_alternative",
    ),
    Code(
        "PROMO-NOT-REFERENCED", _BREACH, _RECORDS,
        "{what} does not refer to the terms: {found}, {required}.",
        "Advertising does not say where the terms are.", "duties.promotions.terms_shown",
    ),
    Code(
        "PROMO-WINNER-LATE", _BREACH, _RECORDS,
        "The winner of {what} was to be told by {required}; the first attempt was {found}.",
        "Nobody tried to reach the winner in time.", "duties.promotions.notification",
    ),
    Code(
        "PROMO-DENIAL-RECORD", _BREACH, _RECORDS,
        "The record of the denied claim on {what} lacks {found}; {required}.",
        "A denied claim was not kept with all that must be kept.", "duties.promotions.denial",
    ),
    Code(
        "PROMO-DENIAL-NOT-TOLD", _BREACH, _RECORDS,
        "The claimant of {what} was not told why by {found}; {required}.",
        "A claimant was not told why the claim was denied.", "duties.promotions.denial",
    ),
    Code(
        "PROMO-STOP-NOT-TOLD", _SERIOUS, _RECORDS,
        "{what} stopped at {found}; {required} was not told at once.",
        "A promotion was stopped for its integrity and the inspectorate was not told.", "duties.promotions.integrity",
    ),
)  # fmt: skip
