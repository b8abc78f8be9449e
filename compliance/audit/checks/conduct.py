"""How a round was conducted: the order of its events, the dice shaken enough, nothing in sight too early.

A round that was declared without result for what went wrong in it was handled as the rules say: that is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from compliance.audit.drafts import Draft, about_round, check_of
from compliance.audit.seen import RoundSeen
from rounds.engine.conduct import Precedence

CUT_OFF = "no-more-bets"
PRESSED = "no-more-bets-pressed"
REVEALED = ("uncovered", "drawn")
# There may have been nothing to collect or to pay, and lights are the device's doing.
MAY_GO_UNSAID = frozenset({"losers-collected", "winners-paid", "areas-lit"})
PAYING = ("losers-collected", "winners-paid")


def instant(seen: RoundSeen, event: str) -> datetime | None:
    """Of an event, or of whatever closed the betting first."""
    return seen.cut_off if event == CUT_OFF else seen.events.get(event)


def judge_order(seen: RoundSeen) -> Iterator[Draft]:
    wrong = [(rule, why) for rule in seen.pack.conduct.order if (why := _broken(seen, rule))]
    if wrong:
        wanted = ", ".join(f"{_said(rule.first)} before {_said(rule.then)}" for rule, _ in wrong)
        yield about_round(
            seen, "ROUND-ORDER", check_of("ROUND-ORDER"), what=seen.name, clause=wrong[0][0].clause,
            found="; ".join(why for _, why in wrong), required=f"the rules want {wanted}",
        )  # fmt: skip


def _broken(seen: RoundSeen, rule: Precedence) -> str:
    first, then = instant(seen, rule.first), instant(seen, rule.then)
    if then is None or not seen.circumstances.equipment.has(rule.only_with) or has_own_code(seen, rule):
        return ""
    if first is None:
        is_told = rule.first in MAY_GO_UNSAID or seen.round.no_result is not None
        return "" if is_told else f"{_said(rule.then)} came without {_said(rule.first)}"
    if first <= then:
        return ""
    return f"{_said(rule.then)} came at {then:%H:%M:%S.%f} UTC, {_said(rule.first)} at {first:%H:%M:%S.%f} UTC"


def has_own_code(seen: RoundSeen, rule: Precedence) -> bool:
    """Exposure, the button and the order of paying are findings of their own."""
    if rule.first == CUT_OFF and rule.then in REVEALED:
        return seen.cut_off is not None
    if rule.first == PRESSED:
        return "nmb-not-pressed" in seen.pack.law.void
    return (rule.first, rule.then) == PAYING and seen.pack.duties.pay_order is not None


def _said(event: str) -> str:
    return event.replace("-", " ")


def judge_tumbles(seen: RoundSeen) -> Iterator[Draft]:
    rule = seen.pack.conduct.agitation
    if rule is None or seen.round.no_result is not None or not seen.circumstances.equipment.has(rule.only_with):
        return
    counts = [event.count for event in seen.round.events if event.name == "tumbled" and event.count is not None]
    if counts and sum(counts) < rule.at_least:
        yield about_round(
            seen, "ROUND-TUMBLES", check_of("ROUND-TUMBLES"), what=rule.counted.capitalize(), clause=rule.clause,
            required=str(rule.at_least), found=str(sum(counts)),
        )  # fmt: skip


def judge_exposed(seen: RoundSeen) -> Iterator[Draft]:
    shown = min((seen.events[name] for name in REVEALED if name in seen.events), default=None)
    if seen.round.no_result is not None or shown is None or seen.cut_off is None or shown >= seen.cut_off:
        return
    rule = next((rule for name, rule in seen.pack.law.void.items() if name == "exposed-early"), None)
    yield about_round(
        seen, "ROUND-EXPOSED", check_of("ROUND-EXPOSED"), what=seen.name, found=f"{shown:%H:%M:%S.%f} UTC",
        required=f"{seen.cut_off:%H:%M:%S.%f} UTC",
        clause=rule.clause if rule else seen.pack.conduct.no_more_bets.clause,
    )  # fmt: skip


def judge_button(seen: RoundSeen) -> Iterator[Draft]:
    """Only at tables with a touch screen, and where the document asks for it."""
    rule = next((rule for name, rule in seen.pack.law.void.items() if name == "nmb-not-pressed"), None)
    shown, pressed = seen.events.get("uncovered"), seen.events.get(PRESSED)
    if rule is None or not seen.circumstances.equipment.has_touch_screen or seen.round.no_result is not None:
        return
    is_exposed = shown is not None and seen.cut_off is not None and shown < seen.cut_off
    if shown is not None and not is_exposed and (pressed is None or pressed > shown):
        yield about_round(
            seen, "ROUND-NO-PRESS", check_of("ROUND-NO-PRESS"), what=seen.name, required="",
            found=f"{shown:%H:%M:%S.%f} UTC", clause=rule.clause,
        )  # fmt: skip


def judge_paying(seen: RoundSeen) -> Iterator[Draft]:
    duty = seen.pack.duties.pay_order
    collected, paid = (seen.events.get(name) for name in PAYING)
    if duty is not None and collected is not None and paid is not None and paid < collected:
        yield about_round(
            seen, "ROUND-PAID-FIRST", check_of("ROUND-PAID-FIRST"), what=seen.name, clause=duty.clause,
            required=f"{collected:%H:%M:%S.%f} UTC", found=f"{paid:%H:%M:%S.%f} UTC",
        )  # fmt: skip


def judge_reason(seen: RoundSeen) -> Iterator[Draft]:
    """A reason that the document does not list, unless whoever decides what it does not cover decided so."""
    declared = seen.round.no_result
    if declared is None:
        return
    rule = next((rule for name, rule in seen.pack.law.void.items() if name == declared.reason), None)
    is_listed = rule is not None and (not rule.needs_touch_screen or seen.circumstances.equipment.has_touch_screen)
    disputes = seen.pack.duties.disputes
    uncovered = disputes.uncovered_clause if disputes else None
    if is_listed or (uncovered and _was_decided(seen)):
        return
    yield about_round(
        seen, "ROUND-REASON", check_of("ROUND-REASON"), what=seen.name, found=declared.reason,
        required=", ".join(map(str, seen.pack.law.void)),
        clause=rule.clause if rule else uncovered or next(iter(seen.pack.law.void.values())).clause,
    )  # fmt: skip


def _was_decided(seen: RoundSeen) -> bool:
    declared = seen.round.no_result
    return declared is not None and declared.by is not None and seen.is_decider(declared.by.position)
