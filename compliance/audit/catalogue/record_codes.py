"""Finding codes of people's records: disputes and promotions."""

from compliance.audit.catalogue.finding_code import OWN_DUTY, breach, note, serious

DISPUTE_DECIDER = breach(
    "DISPUTE-DECIDER",
    "{what} was decided by {found}; {required} decides it.",
    "A dispute was decided by somebody whom the rules do not name for that step.",
    "duties.disputes.steps",
    remedy="Have the step decided by the rank that the rules name.",
)
DISPUTE_RANK = breach(
    "DISPUTE-RANK",
    "{what} was reviewed by {found}; {required} must do it.",
    "A review was made by the same person, or below the rank it needs.",
    "duties.disputes.steps",
    remedy="Have the review made by another person of the rank that the rules name.",
)
DISPUTE_NO_ADVICE = breach(
    "DISPUTE-NO-ADVICE",
    "{what} was closed at {found} without advice of {required}.",
    "A dissatisfied person was not told of their right.",
    "duties.disputes.advice",
    remedy="Advise the patron of their right and record it before you close the dispute.",
)
DISPUTE_SKIPPED = breach(
    "DISPUTE-SKIPPED",
    "{what} went to {found} without {required}.",
    "A step of the ladder was left out.",
    "duties.disputes.steps",
    remedy="Have the step decided that was left out, before the next one.",
)
DISPUTE_OVERDUE = note(
    "DISPUTE-OVERDUE",
    "{what} has waited for {found}; {required} is the most.",
    "A dispute waits for too long.",
    OWN_DUTY,
    remedy="Take the step that the dispute waits for.",
)
DISPUTE_UNDECIDED_PAYMENT = serious(
    "DISPUTE-UNDECIDED-PAYMENT",
    "{what} was paid {found} before a decision on {required}.",
    "Money moved before the dispute was decided.",
    "duties.disputes.steps",
    remedy="Have the dispute decided first, then pay.",
)
DISPUTE_UPHELD = breach(
    "DISPUTE-UPHELD",
    "{what} was upheld: {found} had been handed back, {required} was due.",
    "A dispute was decided for the player.",
    "duties.disputes.steps",
    is_outcome=True,
)

PROMO_FILED_LATE = serious(
    "PROMO-FILED-LATE",
    "{what} was filed {found} before it began; {required} are due.",
    "Terms reached the Authority too late.",
    "duties.promotions.filing",
    remedy="Begin the promotion later, so that the terms are filed in time.",
)
PROMO_INCOMPLETE = breach(
    "PROMO-INCOMPLETE",
    "The terms of {what} lack {found}; {required}.",
    "Terms do not say all that they must.",
    "duties.promotions.terms",
    remedy="Add to the terms what is missing.",
)
PROMO_AMENDED = serious(
    "PROMO-AMENDED",
    "{what} was changed at {found} without approval; it began at {required}.",
    "Terms were changed after the promotion began, without approval.",
    "duties.promotions.amendment",
    remedy="Have the change approved before it takes effect.",
)
PROMO_SCRUTINEER = serious(
    "PROMO-SCRUTINEER",
    "{what}, a prize of {found}, had no scrutineer; above {required} one is due.",
    "A large prize was drawn without a scrutineer.",
    "duties.promotions.scrutineer",
    remedy="Hold the draw in the presence of a scrutineer who confirms it.",
)
PROMO_PROHIBITED = serious(
    "PROMO-PROHIBITED",
    "{what}: {found}; {required}.",
    "A prize is of a kind that may not be given.",
    "duties.promotions.prohibited",
    remedy="Offer or hand over another prize.",
)
PROMO_PRIZE_WORDS = note(
    "PROMO-PRIZE-WORDS",
    "{what}: {found} {required}.",
    "The words of a prize suggest something that no prize may include, and the terms do not say whether it does.",
    "duties.promotions.prohibited",
    remedy="Declare in the terms whether the prize includes it.",
)
PROMO_CASH_CHOICE = breach(
    "PROMO-CASH-CHOICE",
    "The winner of {found} was not given the choice due above {required}: {what}.",
    "A winner of a large cash prize could not choose how it is paid.",
    "duties.promotions.cash_choice",
    remedy="Let the winner choose how the prize is paid, record the choice and pay as chosen.",
)
PROMO_CASH_ALTERNATIVE = breach(
    "PROMO-CASH-ALTERNATIVE",
    "{what} has a cash alternative of {found} that its terms lack: {required}.",
    "A cash alternative is not in the terms.",
    "duties.promotions.cash_alternative",
    remedy="Hand over the prize itself, or pay the cash alternative that the terms state.",
)
PROMO_NOT_REFERENCED = breach(
    "PROMO-NOT-REFERENCED",
    "{what} does not refer to the terms: {found}, {required}.",
    "Advertising does not say where the terms are.",
    "duties.promotions.terms_shown",
    remedy="Say in the advertisement where the terms are.",
)
PROMO_WINNER_LATE = breach(
    "PROMO-WINNER-LATE",
    "The winner of {what} was to be told by {required}; the first attempt was {found}.",
    "Nobody tried to reach the winner in time.",
    "duties.promotions.notification",
    remedy="Try to reach the winner now, and record each attempt with its own time.",
)
PROMO_DENIAL_RECORD = breach(
    "PROMO-DENIAL-RECORD",
    "The record of the denied claim on {what} lacks {found}; {required}.",
    "A denied claim was not kept with all that must be kept.",
    "duties.promotions.denial",
    remedy="Obtain the claimant's name and address and record them with the denial.",
)
PROMO_DENIAL_NOT_TOLD = breach(
    "PROMO-DENIAL-NOT-TOLD",
    "The claimant of {what} was not told why by {found}; {required}.",
    "A claimant was not told why the claim was denied.",
    "duties.promotions.denial",
    remedy="Tell the claimant the reasons now, and record it.",
)
PROMO_STOP_NOT_TOLD = serious(
    "PROMO-STOP-NOT-TOLD",
    "{what} stopped at {found}; {required} was not told at once.",
    "A promotion was stopped for its integrity and the inspectorate was not told.",
    "duties.promotions.integrity",
    remedy="Record a doubt about the integrity at once: the inspectorate is told when you record it.",
)
PROMO_DRAW_POSTPONED = serious(
    "PROMO-DRAW-POSTPONED",
    "{what}, was held on {found}; it was postponed on {required} and not validated since.",
    "A draw was held while its integrity was in doubt.",
    "duties.promotions.integrity",
    remedy="Validate the draw and schedule it again before it is held.",
)
PROMO_DRAW_NOT_AS_FILED = breach(
    "PROMO-DRAW-NOT-AS-FILED",
    "{what}, {found}; the terms say: {required}.",
    "A draw was held before entries closed, at another time than filed, or without an entry.",
    "duties.promotions.terms",
    remedy="Check time and entries; hold the draw as the terms say, or have them amended first.",
)
PROMO_PRIZE_TWICE = serious(
    "PROMO-PRIZE-TWICE",
    "{what}: that makes {found}; the terms offer {required}.",
    "A prize was won or paid more often than the terms offer it.",
    "duties.promotions.terms",
    remedy="Check the prize; it is won and paid only as often as the terms offer it.",
)
PROMO_ENTRY_TWICE = breach(
    "PROMO-ENTRY-TWICE",
    "{what} won {found} after {required}; the terms do not say that an entry may win again.",
    "The same entry won more than once.",
    "duties.promotions.terms",
    remedy="Check the entry's number; state in the terms whether an entry may win again.",
)
PROMO_PRIZE_AMOUNT = serious(
    "PROMO-PRIZE-AMOUNT",
    "{what} was paid {found}; the terms state {required}.",
    "A cash prize was paid in another amount than the terms state.",
    "duties.promotions.terms",
    remedy="Pay the amount that the terms state.",
)
