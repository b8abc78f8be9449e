"""Text of a sign, to be read from five metres away: few facts, in few words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.core.accounts.models import Casino
from compliance.tables.signs.models import Sign, SignPurpose
from compliance.tables.signs.sign_clock import minutes_until
from rounds.engine import BET_CODES
from rounds.engine.money import format_cents
from rounds.floor.fact_values import LimitsValue, StreakAmountValue, read_value
from rounds.floor.facts.text import limits_by_wager
from rounds.floor.models import Table
from rounds.floor.selectors import facts_at, pack_for
from rounds.rulebook.labels import wager_type_names


@dataclass(frozen=True)
class SignFact:
    """`label` names the fact, `value` is printed large."""

    label: str
    value: str


def format_amount(cents: int) -> str:
    """ "$25", or "$2.50" when there are cents."""
    return format_cents(cents).removesuffix(".00")


def time_of_day(instant: datetime, casino: Casino) -> str:
    """ "9:42 pm", in the casino's time zone."""
    local = instant.astimezone(casino.zone)
    return f"{local.hour % 12 or 12}:{local:%M} {'am' if local.hour < 12 else 'pm'}"


def time_with_seconds(instant: datetime, casino: Casino) -> str:
    """ "9:42:07 pm"."""
    minute, half = time_of_day(instant, casino).split()
    return f"{minute}:{instant:%S} {half}"


def time_left(instant: datetime, now: datetime) -> str:
    """ "17 minutes"; above two hours "7 h 57 min"."""
    left = minutes_until(instant, now)
    if left >= 120:
        return f"{left // 60} h {left % 60} min"
    return "now" if left == 0 else f"{left} minute{'' if left == 1 else 's'}"


def relative_time(instant: datetime, now: datetime) -> str:
    left = time_left(instant, now)
    return "Now" if left == "now" else f"In {left}"


def screen_facts(signs: Sequence[Sign], now: datetime | None) -> list[SignFact]:
    """Facts of all signs of a table on one screen. A single sign also states the time left, which paper cannot."""
    wanted = [sign for sign in signs if sign.purpose != SignPurpose.PLAYER_LIMITS]
    announcing = [sign for sign in wanted if sign.purpose != SignPurpose.FINAL_CALL]
    facts = [fact for sign in announcing for fact in _announcement_facts(sign, is_alone=len(announcing) == 1, now=now)]
    if any(sign.purpose == SignPurpose.FINAL_CALL for sign in wanted):
        facts.append(SignFact("Super Streak", "no new wagers"))
    return facts


def _announcement_facts(sign: Sign, *, is_alone: bool, now: datetime | None) -> list[SignFact]:
    is_change = sign.purpose == SignPurpose.LIMIT_CHANGE
    at = sign.content_time("change_at" if is_change else "closure_at")
    assert at is not None
    when = time_of_day(at, sign.casino)
    if not is_change:
        facts = [SignFact("This table closes", when)]
    elif is_alone:
        facts = [*_changed_limit_facts(sign), SignFact("From", when)]
    else:
        facts = [SignFact(fact.label, f"{fact.value} from {when}") for fact in _changed_limit_facts(sign)]
    return [*facts, SignFact("Time left", time_left(at, now))] if is_alone and now else facts


def announced_limits(sign: Sign) -> LimitsValue:
    return read_value(
        LimitsValue, {name: sign.content[name] for name in ("min", "max", "by_bet") if name in sign.content}
    )


def _changed_limit_facts(sign: Sign) -> list[SignFact]:
    """Each limit that changes, be it raised or lowered: that of the table, then those of types of wager."""
    after, before = announced_limits(sign), facts_at(sign.table, sign.made_at).get(LimitsValue)
    if before is None or not after.raises_minimum_of(before):
        # Another change is announced, after which this is a raise: all minimums are stated.
        before = LimitsValue(min=1, max=after.max)
    bets = sorted({*after.limits_by_bet, *before.limits_by_bet}, key=BET_CODES.index)
    pack = pack_for(sign.table, sign.made_at) if bets else None
    facts = []
    for label, new, old, limit_for in (
        ("New minimum", after.min, before.min, LimitsValue.minimum_for),
        ("New maximum", after.max, before.max, LimitsValue.maximum_for),
    ):
        facts += [SignFact(label, format_amount(new))] if new != old else []
        changed: dict[int, list[str]] = {}
        for bet in bets:
            cents = limit_for(after, bet)
            if cents != limit_for(before, bet) and (cents != new or new == old):
                changed.setdefault(cents, []).append(bet)
        facts += [
            SignFact(f"{label}, {', '.join(wager_type_names(pack, each))}", format_amount(cents))
            for cents, each in changed.items()
        ]
    return facts


def player_limit_facts(sign: Sign) -> list[SignFact]:
    """For the card in front of one player."""
    who = sign.content.get("player") or f"Seat {sign.content['seat']}"
    return [
        SignFact("Only for", str(who)),
        SignFact("Minimum", format_amount(sign.content["min"])),
        SignFact("Maximum", format_amount(sign.content["max"])),
    ]


def sign_facts(sign: Sign) -> list[SignFact]:
    """Facts of one sign, as printed."""
    return player_limit_facts(sign) if sign.purpose == SignPurpose.PLAYER_LIMITS else screen_facts([sign], None)


def current_limit_facts(table: Table, now: datetime) -> list[SignFact]:
    """Facts of the limits in force. Wagers need be multiples of the minimum only if the sign says so."""
    held = facts_at(table, now)
    limits, streak = held.get(LimitsValue), held.get(StreakAmountValue)
    facts = _limit_facts(limits, table, now) if limits else []
    return [*facts, SignFact("Super Streak", format_amount(streak.cents))] if streak else facts


def _limit_facts(limits: LimitsValue, table: Table, at: datetime) -> list[SignFact]:
    facts = [SignFact("Minimum", format_amount(limits.min)), SignFact("Maximum", format_amount(limits.max))]
    facts += [SignFact("Wagers in multiples of", format_amount(limits.min))] if limits.multiples else []
    facts += [SignFact("In steps of", format_amount(limits.unit))] if limits.unit else []
    by_wager = limits_by_wager(limits, pack_for(table, at)) if limits.limits_by_bet else ()
    return facts + [SignFact(names, f"{format_amount(low)} to {format_amount(high)}") for names, low, high in by_wager]


def join_facts(facts: Sequence[SignFact]) -> str:
    """ "minimum $5, maximum $500"."""
    return ", ".join(f"{fact.label.lower()} {fact.value}" for fact in facts)


def coming_limit_lines(signs: Sequence[Sign]) -> list[str]:
    """All limits that hold after each announced change, also those that stay as they are."""
    announced = ((sign, sign.content_time("change_at")) for sign in signs if sign.purpose == SignPurpose.LIMIT_CHANGE)
    return [
        f"From {time_of_day(at, sign.casino)}: {join_facts(_limit_facts(announced_limits(sign), sign.table, at))}"
        for sign, at in announced
        if at
    ]


def paper_limit_lines(sign: Sign, now: datetime) -> list[str]:
    """Small print of a sign of a change: the limits until then, and all limits from then on."""
    at = sign.content_time("change_at")
    if at is None:
        return []
    held = current_limit_facts(sign.table, min(now, at - timedelta(microseconds=1)))
    return [f"Until {time_of_day(at, sign.casino)}: {join_facts(held)}", *coming_limit_lines([sign])]
