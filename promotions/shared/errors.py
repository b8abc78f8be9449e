"""Refusals of the promotions' services."""

from compliance.core.web.errors import Refusal


class PromotionRefusal(Refusal):
    code = "promotion-refused"
    status = 409
    title = "The promotion was not changed"


class RoleRequired(PromotionRefusal):
    code = "promotion-not-yours"
    status = 403
    detail = "Your role at this casino does not allow that."


class SilentRules(PromotionRefusal):
    code = "promotion-rules-silent"
    detail = "The rules in force at this casino say nothing about promotional prizes, so there is nothing to file."
    remedy = "If that is wrong, an inspector can propose a rule version that does."


class IncompleteTerms(PromotionRefusal):
    code = "promotion-incomplete"
    detail = "The terms do not say everything that they must say."
    remedy = "Complete the parts that the list names, then file them."


class PrizeProhibited(PromotionRefusal):
    code = "promotion-prohibited-prize"
    detail = "A prize consists of or includes something that no prize may."
    remedy = "Take it out of the prize, or the prize out of the terms."


class PromotionHasBegun(PromotionRefusal):
    code = "promotion-begun"
    detail = "The promotion has begun, so its terms change only with the Authority's approval."
    remedy = "Ask for an amendment instead."


class PromotionNotBegun(PromotionRefusal):
    code = "promotion-not-begun"
    detail = "The promotion has not begun: its terms are changed by filing them again."
    remedy = "File the changed terms."


class AmendmentPending(PromotionRefusal):
    code = "amendment-waits"
    detail = "An amendment of these terms waits for the Authority's decision already."
    remedy = "Wait for the decision, then ask again."


class NothingToDecide(PromotionRefusal):
    code = "amendment-not-asked"
    detail = "These terms do not wait for a decision: only an amendment that was asked for does."
    remedy = "Open the promotion to see which of its terms wait."


class NotIndependent(PromotionRefusal):
    code = "amendment-not-independent"
    status = 403
    detail = (
        "The Authority decides about an amendment. Whoever was given the role by the person who asked for it, or "
        "worked for the casino since it was asked for, cannot decide."
    )
    remedy = "Leave the decision to another authority officer."


class DecidedAlready(PromotionRefusal):
    code = "promotion-decided"
    detail = "That was decided already."
    remedy = "Reload the page to see the decision."


class NothingChanged(PromotionRefusal):
    code = "terms-unchanged"
    detail = "These terms are word for word those that were filed last."
    remedy = "Change what is to be changed, or discard the draft."


class PromotionStateChanged(PromotionRefusal):
    code = "promotion-moved-on"
    detail = "The promotion is no longer in the state in which that can be done."
    remedy = "Reload the page to see what happened to it."


class DrawStateChanged(PromotionRefusal):
    code = "draw-state"
    detail = "The draw is no longer in the state in which that can be done."
    remedy = "Reload the page to see what happened to it."
