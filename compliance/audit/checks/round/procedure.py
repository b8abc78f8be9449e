"""How a round was conducted: order of events, tumbles, early exposure, button, payout order, void reasons.

A round declared void because of such an error was handled as the rules say, and yields no finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compliance.audit.catalogue import play_codes as codes
from compliance.audit.checks.shared.check_types import RoundCheck
from compliance.audit.context.finding_draft import FindingDraft, round_draft
from compliance.audit.context.round_context import RoundContext
from rounds.engine import pack
from rounds.engine.settle import CUT_OFF_EVENT, REVEAL_EVENTS, is_decider
from rounds.engine.utc_clock import format_utc_clock_exact

BUTTON_PRESSED_EVENT = "no-more-bets-pressed"
LATER_VOID_CHECK = "void-set"
# Optional: there may be nothing to collect or pay, and the device controls the lights.
OPTIONAL_EVENTS = frozenset({"losers-collected", "winners-paid", "areas-lit"})


def check_event_order(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-ORDER (`conduct.order`, `required_events`, `forbidden_events`): events out of order, missing or not
    allowed. One finding for all broken rules."""
    wrong = [*_order_breaches(context), *_missing_events(context), *_forbidden_events(context)]
    if wrong:
        yield round_draft(
            context,
            codes.ROUND_ORDER,
            what=context.round_label,
            clause=wrong[0].clause,
            found="; ".join(breach.found for breach in wrong),
            required=_required_order(wrong),
        )


class _EventBreach(NamedTuple):
    """`required` is empty where `found` says it: an event is missing."""

    clause: str
    found: str
    required: str = ""


def _required_order(wrong: Sequence[_EventBreach]) -> str:
    wanted = list(dict.fromkeys(breach.required for breach in wrong if breach.required))
    if wanted:
        return f"the rules want {', '.join(wanted)}"
    return f"the rules ask for {'it' if len(wrong) == 1 else 'them'}"


def _order_breaches(context: RoundContext) -> Iterator[_EventBreach]:
    for rule in context.pack.conduct.order:
        if found := _order_breach(context, rule):
            required = f"{_event_in_order(context, rule.first)} before {_event_in_order(context, rule.then)}"
            yield _EventBreach(rule.clause, found, required)


def _missing_events(context: RoundContext) -> Iterator[_EventBreach]:
    if context.round.no_result is None:
        for rule in context.pack.conduct.required_events:
            is_asked = context.rules_in_force.equipment.has_item(rule.only_with)
            is_asked = is_asked and (rule.after is None or rule.after in context.events)
            if is_asked and not any(event in context.events for event in rule.any_of):
                wanted = " or ".join(map(_event_label, rule.any_of))
                yield _EventBreach(rule.clause, f"{wanted} is missing")


def _forbidden_events(context: RoundContext) -> Iterator[_EventBreach]:
    for rule in context.pack.conduct.forbidden_events:
        if rule.event in context.events and context.rules_in_force.equipment.has_item(rule.only_with):
            label = _event_label(rule.event)
            yield _EventBreach(rule.clause, f"{label} at an {_event_label(rule.only_with)}", f"no {label} there")


def _order_breach(context: RoundContext, rule: pack.Precedence) -> str:
    first, then = context.event_time(rule.first), context.event_time(rule.then)
    if (
        then is None
        or not context.rules_in_force.equipment.has_item(rule.only_with)
        or has_separate_code(context, rule)
    ):
        return ""
    first_label, later_label = (_event_in_order(context, event) for event in (rule.first, rule.then))
    if first is None:
        is_allowed = rule.first in OPTIONAL_EVENTS or context.round.no_result is not None
        return "" if is_allowed else f"{later_label} came without {first_label}"
    if first <= then:
        return ""
    return f"{later_label} came at {format_utc_clock_exact(then)}, {first_label} at {format_utc_clock_exact(first)}"


def has_separate_code(context: RoundContext, rule: pack.Precedence) -> bool:
    """True where early exposure, the button or the payout order is reported under its own code."""
    if rule.first == CUT_OFF_EVENT and rule.then in REVEAL_EVENTS:
        return context.cut_off_at is not None
    if rule.first == BUTTON_PRESSED_EVENT:
        return "nmb-not-pressed" in context.pack.law.void
    return (rule.first, rule.then) == pack.PAYOUT_EVENTS and context.pack.duties.pay_order is not None


def _event_in_order(context: RoundContext, event: str) -> str:
    """The label of an event in an order rule. The close of betting is named by the document's own event, such as the
    bell, where there is only one."""
    closing = context.pack.conduct.no_more_bets.events
    return _event_label(closing[0] if event == CUT_OFF_EVENT and len(closing) == 1 else event)


def _event_label(event: str) -> str:
    return "cards drawn" if event == "drawn" else event.replace("-", " ")


def check_tumbles(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-TUMBLES (`conduct.agitation`): the dice were tumbled too few times."""
    rule, tumbles = context.pack.conduct.agitation, context.too_few_tumbles
    if rule is not None and tumbles is not None and context.round.no_result is None:
        yield round_draft(
            context,
            codes.ROUND_TUMBLES,
            what=rule.counted.capitalize(),
            clause=rule.clause,
            required=str(rule.at_least),
            found=str(tumbles),
        )


def check_early_exposure(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-EXPOSED (`law.void.exposed-early`): the result could be seen before betting closed. Where betting never
    closed, ROUND-ORDER reports the missing event."""
    shown, rule = context.exposed_at, context.void_rule("exposed-early")
    if shown is None or context.cut_off_at is None or context.round.no_result is not None:
        return
    yield round_draft(
        context,
        codes.ROUND_EXPOSED,
        what=context.round_label,
        found=format_utc_clock_exact(shown),
        required=format_utc_clock_exact(context.cut_off_at),
        clause=rule.clause if rule else context.pack.conduct.no_more_bets.clause,
    )


def check_button_pressed(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-NO-PRESS (`law.void.nmb-not-pressed`): only at tables with a touch screen, and where the document asks for
    it."""
    rule, shown = context.void_rule("nmb-not-pressed"), context.events.get("uncovered")
    if rule is None or shown is None or context.round.no_result is not None:
        return
    is_exposed = context.cut_off_at is not None and shown < context.cut_off_at
    if context.is_button_unpressed and not is_exposed:
        yield round_draft(
            context,
            codes.ROUND_NO_PRESS,
            what=context.round_label,
            required="",
            found=format_utc_clock_exact(shown),
            clause=rule.clause,
        )


def check_payout_order(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-PAID-FIRST (`duties.pay_order`): winners paid before losers were collected."""
    duty = context.pack.duties.pay_order
    collected, paid = (context.events.get(name) for name in pack.PAYOUT_EVENTS)
    if duty is not None and collected is not None and paid is not None and paid < collected:
        yield round_draft(
            context,
            codes.ROUND_PAID_FIRST,
            what=context.round_label,
            clause=duty.clause,
            required=format_utc_clock_exact(collected),
            found=format_utc_clock_exact(paid),
        )


def check_void_reason(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-REASON (`law.void`, `duties.invalidation`): a void reason that the document does not list, or an outcome
    invalidated without grounds or by the wrong position, or a round that was interrupted after an outcome had been
    established (`duties.interruption`). No finding where somebody entitled to decide uncovered cases decided it."""
    declared = context.round.no_result
    if declared is None:
        return
    rule, breaches = context.void_rule(declared.reason), context.invalidation_breaches
    if context.is_outcome_established and context.outcome is None:
        yield _established_draft(context)
        return
    if breaches:
        yield _invalidation_draft(context, breaches)
        return
    equipment = context.rules_in_force.equipment
    is_listed = rule is not None and (not rule.needs_touch_screen or equipment.has_touch_screen)
    if rule is not None and rule.never_with and equipment.has_item(rule.never_with):
        is_listed = False
    disputes = context.pack.duties.disputes
    uncovered = disputes.uncovered_clause if disputes else None
    if is_listed or (uncovered and _was_decided_by_authority(context)):
        return
    yield round_draft(
        context,
        codes.ROUND_REASON,
        what=context.round_label,
        found=declared.reason,
        required=", ".join(map(str, context.pack.law.void)),
        clause=rule.clause if rule else uncovered or next(iter(context.pack.law.void.values())).clause,
    )


def _established_draft(context: RoundContext) -> FindingDraft:
    """About a round that is to be concluded. With all dice read, check_settlement reports what each wager is due."""
    duty, read = context.pack.duties.interruption, context.faces_read
    assert duty is not None
    known = f"with {'-'.join(map(str, read))} read" if read else "with an outcome established, as the table reported"
    return round_draft(
        context,
        codes.ROUND_REASON,
        what=context.round_label,
        found=f"interrupted, {known}",
        required="interrupted before any wager was decided",
        clause=duty.established_clause,
    )


def _invalidation_draft(context: RoundContext, breaches: list[str]) -> FindingDraft:
    duty = context.pack.duties.invalidation
    assert duty is not None
    by = f", declared by a {duty.by}" if duty.asks_rank else ""
    return round_draft(
        context,
        codes.ROUND_REASON,
        what=context.round_label,
        found=f"invalidated, {' and '.join(breaches)}",
        required=f"{' or '.join(duty.grounds)}{by}",
        clause=duty.clause,
    )


def _was_decided_by_authority(context: RoundContext) -> bool:
    declared = context.round.no_result
    return declared is not None and declared.by is not None and is_decider(context.pack, declared.by.position)


def check_later_void(context: RoundContext) -> Iterator[FindingDraft]:
    """ROUND-REASON: a round was voided after settlement for a reason that the document does not let reach settled
    rounds."""
    decided, judged = context.later_decisions, context.later_void
    if decided is None or judged is None or judged.is_void or context.void_reason == decided.reason:
        return
    yield round_draft(
        context,
        codes.ROUND_REASON,
        LATER_VOID_CHECK,
        what=context.round_label,
        clause=judged.clause,
        required=", ".join(judged.valid_reasons) or "no reason that reaches rounds already settled",
        found=f"{decided.reason}, determined later",
    )


CHECKS = (
    RoundCheck(LATER_VOID_CHECK, frozenset({codes.ROUND_REASON}), check_later_void),
    RoundCheck.of_code(codes.ROUND_ORDER, check_event_order),
    RoundCheck.of_code(codes.ROUND_TUMBLES, check_tumbles),
    RoundCheck.of_code(codes.ROUND_EXPOSED, check_early_exposure),
    RoundCheck.of_code(codes.ROUND_NO_PRESS, check_button_pressed),
    RoundCheck.of_code(codes.ROUND_PAID_FIRST, check_payout_order),
    RoundCheck.of_code(codes.ROUND_REASON, check_void_reason),
)
