"""Rounds that were settled although the rules make them void, and void declarations that come too late."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.context.finding_draft import FindingDraft, round_draft
from compliance.audit.context.round_context import RoundContext

LATER_VOID_CHECK = "void-set"
SETTLED_VERDICTS = ("win", "lose")
REVEAL_EVENTS = ("uncovered", "drawn")


def void_grounds(context: RoundContext) -> tuple[str, str] | None:
    """The void reason that applies to a settled round, and what shows it. None for a valid round."""
    if context.void_reason is not None or not any(wager.verdict in SETTLED_VERDICTS for wager in context.round.wagers):
        return None
    known = frozenset(map(str, context.pack.law.void))
    for reason, why in (*_too_few_tumbles(context), *_exposed_early(context), *_button_not_pressed(context)):
        if reason in known:
            return reason, why
    return None


def check_later_void(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-REASON: a round was voided after settlement for a reason that the document does not let reach settled
    rounds."""
    if context.later_decisions is None or not context.later_decisions.reason or context.is_voided_later:
        return
    if context.void_reason == context.later_decisions.reason:
        return
    known = [name for name, rule in context.pack.law.void.items() if rule.covers == "all-affected-rounds"]
    rule = context.void_rule(context.later_decisions.reason)
    yield round_draft(
        context,
        "ROUND-REASON",
        LATER_VOID_CHECK,
        what=context.round_label,
        clause=rule.clause if rule else "",
        required=", ".join(known) or "no reason that reaches rounds already settled",
        found=f"{context.later_decisions.reason}, determined later",
    )


def _too_few_tumbles(context: RoundContext) -> list[tuple[str, str]]:
    rule = context.pack.conduct.agitation
    if rule is None or not context.rules_in_force.equipment.has_item(rule.only_with):
        return []
    counts = [event.count for event in context.round.events if event.name == "tumbled" and event.count is not None]
    if not counts or sum(counts) >= rule.at_least:
        return []
    why = f"{sum(counts)} {rule.counted} were reported; at least {rule.at_least} are needed [{rule.clause}]."
    # A document without its own reason for too few tumbles covers it as "not-activated".
    return [("fewer-than-three", why), ("not-activated", why)]


def _exposed_early(context: RoundContext) -> list[tuple[str, str]]:
    shown = min((context.events[name] for name in REVEAL_EVENTS if name in context.events), default=None)
    if shown is None or context.cut_off_at is None or shown >= context.cut_off_at:
        return []
    why = f"The result was in sight at {shown:%H:%M:%S.%f} UTC; betting closed at {context.cut_off_at:%H:%M:%S.%f} UTC."
    return [("exposed-early", why)]


def _button_not_pressed(context: RoundContext) -> list[tuple[str, str]]:
    shown, pressed = context.events.get("uncovered"), context.events.get("no-more-bets-pressed")
    if not context.rules_in_force.equipment.has_touch_screen or shown is None:
        return []
    if pressed is not None and pressed <= shown:
        return []
    return [("nmb-not-pressed", "The button was not pressed before the cover came off.")]
