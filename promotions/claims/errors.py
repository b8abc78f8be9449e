"""Refusals of the claim services."""

from promotions.shared.errors import PromotionRefusal


class NoReasons(PromotionRefusal):
    code = "denial-without-reasons"
    detail = "A claim is denied for reasons, and the patron is told them."
    remedy = "Write down why the claim is not met."


class NotDenied(PromotionRefusal):
    code = "claim-not-denied"
    detail = "Only the reasons of a denied claim are told, and once."
    remedy = "Reload the page to see where the claim stands."


class NotMet(PromotionRefusal):
    code = "claim-not-met"
    detail = "A prize is handed over for a claim that was met, and once."
    remedy = "Reload the page to see where the claim stands."
