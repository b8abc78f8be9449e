"""Rounds that were settled although what happened in them makes them void."""

from __future__ import annotations

from collections.abc import Iterator

from compliance.audit.drafts import Draft, about_round
from compliance.audit.seen import RoundSeen

DETERMINED = "void-set"
SETTLED = ("win", "lose")
REVEALED = ("uncovered", "drawn")


def void_grounds(seen: RoundSeen) -> tuple[str, str] | None:
    """The reason for which the document voids such a round, and what shows it; None for a round that may stand."""
    if seen.void_reason is not None or not any(wager.verdict in SETTLED for wager in seen.round.wagers):
        return None
    known = frozenset(map(str, seen.pack.law.void))
    for reason, why in (*_too_few(seen), *_exposed(seen), *_not_pressed(seen)):
        if reason in known:
            return reason, why
    return None


def judge_determination(seen: RoundSeen) -> Iterator[Draft]:
    """A later determination reaches a settled round only for a reason that the document lets reach back."""
    if seen.voided is None or not seen.voided.reason or seen.is_voided_later:
        return
    if seen.void_reason == seen.voided.reason:
        return
    known = [name for name, rule in seen.pack.law.void.items() if rule.covers == "all-affected-rounds"]
    rule = seen.void_rule(seen.voided.reason)
    yield about_round(
        seen, "ROUND-REASON", DETERMINED, what=seen.name, clause=rule.clause if rule else "",
        required=", ".join(known) or "no reason that reaches rounds already settled",
        found=f"{seen.voided.reason}, determined later",
    )  # fmt: skip


def _too_few(seen: RoundSeen) -> list[tuple[str, str]]:
    rule = seen.pack.conduct.agitation
    if rule is None or not seen.circumstances.equipment.has(rule.only_with):
        return []
    counts = [event.count for event in seen.round.events if event.name == "tumbled" and event.count is not None]
    if not counts or sum(counts) >= rule.at_least:
        return []
    why = f"{sum(counts)} {rule.counted} were reported; at least {rule.at_least} are needed [{rule.clause}]."
    # Where a document has no reason of its own for too few, the device was not worked as the rules say.
    return [("fewer-than-three", why), ("not-activated", why)]


def _exposed(seen: RoundSeen) -> list[tuple[str, str]]:
    shown = min((seen.events[name] for name in REVEALED if name in seen.events), default=None)
    if shown is None or seen.cut_off is None or shown >= seen.cut_off:
        return []
    why = f"The result was in sight at {shown:%H:%M:%S.%f} UTC; betting closed at {seen.cut_off:%H:%M:%S.%f} UTC."
    return [("exposed-early", why)]


def _not_pressed(seen: RoundSeen) -> list[tuple[str, str]]:
    shown, pressed = seen.events.get("uncovered"), seen.events.get("no-more-bets-pressed")
    if not seen.circumstances.equipment.has_touch_screen or shown is None:
        return []
    if pressed is not None and pressed <= shown:
        return []
    return [("nmb-not-pressed", "The button was not pressed before the cover came off.")]
