"""How a round was conducted: order of events, tumbles, early exposure, button, payout order, void reasons.

A round declared void because of such an error was handled as the rules say, and yields no finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from compliance.audit.context.finding_draft import FindingDraft, check_name_for, round_draft
from compliance.audit.context.round_context import RoundContext
from rounds.engine import pack

CUT_OFF_EVENT = "no-more-bets"
BUTTON_PRESSED_EVENT = "no-more-bets-pressed"
REVEAL_EVENTS = ("uncovered", "drawn")
# Optional: there may be nothing to collect or pay, and the device controls the lights.
OPTIONAL_EVENTS = frozenset({"losers-collected", "winners-paid", "areas-lit"})


def event_time(context: RoundContext, event: str) -> datetime | None:
    """Time of an event. For the cut-off: of whichever event closed betting first."""
    return context.cut_off_at if event == CUT_OFF_EVENT else context.events.get(event)


def check_event_order(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-ORDER (`conduct.order`): events out of order or missing. One finding for all broken rules."""
    wrong = [(rule, why) for rule in context.pack.conduct.order if (why := _order_breach(context, rule))]
    if wrong:
        required_order = ", ".join(f"{_event_label(rule.first)} before {_event_label(rule.then)}" for rule, _ in wrong)
        yield round_draft(
            context,
            "ROUND-ORDER",
            check_name_for("ROUND-ORDER"),
            what=context.round_label,
            clause=wrong[0][0].clause,
            found="; ".join(why for _, why in wrong),
            required=f"the rules want {required_order}",
        )


def _order_breach(context: RoundContext, rule: pack.Precedence) -> str:
    first, then = event_time(context, rule.first), event_time(context, rule.then)
    if (
        then is None
        or not context.rules_in_force.equipment.has_item(rule.only_with)
        or has_separate_code(context, rule)
    ):
        return ""
    if first is None:
        is_allowed = rule.first in OPTIONAL_EVENTS or context.round.no_result is not None
        return "" if is_allowed else f"{_event_label(rule.then)} came without {_event_label(rule.first)}"
    if first <= then:
        return ""
    earlier = f"{_event_label(rule.first)} at {first:%H:%M:%S.%f} UTC"
    return f"{_event_label(rule.then)} came at {then:%H:%M:%S.%f} UTC, {earlier}"


def has_separate_code(context: RoundContext, rule: pack.Precedence) -> bool:
    """True where early exposure, the button or the payout order is reported under its own code."""
    if rule.first == CUT_OFF_EVENT and rule.then in REVEAL_EVENTS:
        return context.cut_off_at is not None
    if rule.first == BUTTON_PRESSED_EVENT:
        return "nmb-not-pressed" in context.pack.law.void
    return (rule.first, rule.then) == pack.PAYOUT_EVENTS and context.pack.duties.pay_order is not None


def _event_label(event: str) -> str:
    return event.replace("-", " ")


def check_tumbles(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-TUMBLES (`conduct.agitation`): the dice were tumbled too few times."""
    rule = context.pack.conduct.agitation
    if (
        rule is None
        or context.round.no_result is not None
        or not context.rules_in_force.equipment.has_item(rule.only_with)
    ):
        return
    counts = [event.count for event in context.round.events if event.name == "tumbled" and event.count is not None]
    if counts and sum(counts) < rule.at_least:
        yield round_draft(
            context,
            "ROUND-TUMBLES",
            check_name_for("ROUND-TUMBLES"),
            what=rule.counted.capitalize(),
            clause=rule.clause,
            required=str(rule.at_least),
            found=str(sum(counts)),
        )


def check_early_exposure(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-EXPOSED (`law.void.exposed-early`): the result could be seen before betting closed."""
    shown = min((context.events[name] for name in REVEAL_EVENTS if name in context.events), default=None)
    if (
        context.round.no_result is not None
        or shown is None
        or context.cut_off_at is None
        or shown >= context.cut_off_at
    ):
        return
    rule = next((rule for name, rule in context.pack.law.void.items() if name == "exposed-early"), None)
    yield round_draft(
        context,
        "ROUND-EXPOSED",
        check_name_for("ROUND-EXPOSED"),
        what=context.round_label,
        found=f"{shown:%H:%M:%S.%f} UTC",
        required=f"{context.cut_off_at:%H:%M:%S.%f} UTC",
        clause=rule.clause if rule else context.pack.conduct.no_more_bets.clause,
    )


def check_button_pressed(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-NO-PRESS (`law.void.nmb-not-pressed`): only at tables with a touch screen, and where the document asks for
    it."""
    rule = next((rule for name, rule in context.pack.law.void.items() if name == "nmb-not-pressed"), None)
    shown, pressed = context.events.get("uncovered"), context.events.get(BUTTON_PRESSED_EVENT)
    if rule is None or not context.rules_in_force.equipment.has_touch_screen or context.round.no_result is not None:
        return
    is_exposed = shown is not None and context.cut_off_at is not None and shown < context.cut_off_at
    if shown is not None and not is_exposed and (pressed is None or pressed > shown):
        yield round_draft(
            context,
            "ROUND-NO-PRESS",
            check_name_for("ROUND-NO-PRESS"),
            what=context.round_label,
            required="",
            found=f"{shown:%H:%M:%S.%f} UTC",
            clause=rule.clause,
        )


def check_payout_order(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-PAID-FIRST (`duties.pay_order`): winners paid before losers were collected."""
    duty = context.pack.duties.pay_order
    collected, paid = (context.events.get(name) for name in pack.PAYOUT_EVENTS)
    if duty is not None and collected is not None and paid is not None and paid < collected:
        yield round_draft(
            context,
            "ROUND-PAID-FIRST",
            check_name_for("ROUND-PAID-FIRST"),
            what=context.round_label,
            clause=duty.clause,
            required=f"{collected:%H:%M:%S.%f} UTC",
            found=f"{paid:%H:%M:%S.%f} UTC",
        )


def check_void_reason(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-REASON (`law.void`): a void reason that the document does not list. No finding where somebody entitled to
    decide uncovered cases decided it."""
    declared = context.round.no_result
    if declared is None:
        return
    rule = next((rule for name, rule in context.pack.law.void.items() if name == declared.reason), None)
    is_listed = rule is not None and (not rule.needs_touch_screen or context.rules_in_force.equipment.has_touch_screen)
    disputes = context.pack.duties.disputes
    uncovered = disputes.uncovered_clause if disputes else None
    if is_listed or (uncovered and _was_decided_by_authority(context)):
        return
    yield round_draft(
        context,
        "ROUND-REASON",
        check_name_for("ROUND-REASON"),
        what=context.round_label,
        found=declared.reason,
        required=", ".join(map(str, context.pack.law.void)),
        clause=rule.clause if rule else uncovered or next(iter(context.pack.law.void.values())).clause,
    )


def _was_decided_by_authority(context: RoundContext) -> bool:
    declared = context.round.no_result
    return declared is not None and declared.by is not None and context.is_decider(declared.by.position)
