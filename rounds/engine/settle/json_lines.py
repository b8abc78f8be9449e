"""settle_line(): settles one decoded JSON object of `manage.py settle`. Parses the keys, returns a plain dict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar, get_args

from rounds.engine.bets.bet_codes import BETS, Bet, parse_bet
from rounds.engine.bets.dice_outcomes import FACES, OUTCOMES, Outcome, parse_outcome
from rounds.engine.bets.odds_notation import format_odds, parse_odds
from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.clause_readings import AdoptedReadings
from rounds.engine.pack.compiled_rules import Rules, choose_pay_table, compile_adopted_rules
from rounds.engine.pack.pack_collection import PackCollection
from rounds.engine.pack.vocabulary import Tender
from rounds.engine.settle.alternative_readings import Alternative, adopt_affecting_readings, alternative_settlements
from rounds.engine.settle.settle_wager import settle_wager
from rounds.engine.settle.settlement import NO_LIMITS, PostedOdds, Settlement, WagerLimits, WagerQuestion
from rounds.engine.settle.stake_limits import validate_limits

LINE_KEYS = frozenset(
    {
        "rules",
        "version",
        "pay_table",
        "dice",
        "bet",
        "stake",
        "limits",
        "posted_odds",
        "offered",
        "tender",
        "warned",
        "void",
        "faces_read",
        "outcome_established",
        "opening",
        "history",
        "readings",
        "lights_failed",
        "called",
    }
)
PLAIN_KEYS = frozenset({"rules", "version", "pay_table", "dice", "bet", "stake", "readings"})
LIMIT_KEYS = frozenset({"min", "max", "multiples", "payable_unit"})
TENDERS = frozenset(get_args(Tender))
# The largest integer that every JSON parser represents exactly (JavaScript's MAX_SAFE_INTEGER).
MAX_STAKE = 2**53 - 1

T = TypeVar("T")


def settle_line(packs: PackCollection, line: object) -> dict[str, Any]:
    """The settlement of one line as plain values, or its error and code. Never raises, whatever the line contains."""
    try:
        rules, question = _parse_line(packs, line)
        settlement = settle_wager(rules, question)
        others = alternative_settlements(rules, question, settlement)
    except EngineError as error:
        return {"error": error.message, "code": error.code.value}
    return _settlement_as_json(settlement, others)


def _settlement_as_json(settlement: Settlement, others: list[Alternative]) -> dict[str, Any]:
    return {
        "verdict": settlement.verdict.value,
        "odds": None if settlement.odds is None else format_odds(settlement.odds),
        "winnings": settlement.winnings_cents,
        "returned": settlement.returned_cents,
        "clauses": list(settlement.clauses),
        # A choice under which the line cannot be settled has no verdict to report.
        "alternatives": [
            {
                "reading": each.reading,
                "choice": each.choice,
                "verdict": each.verdict.value,
                "returned": each.returned_cents,
            }
            for each in others
            if each.verdict is not None
        ],
    }


def _parse_line(packs: PackCollection, line: object) -> tuple[Rules, WagerQuestion]:
    if not isinstance(line, dict):
        raise EngineError(ErrorCode.BAD_LINE, f"{repr(line)[:60]} is not a line: expected an object")
    if not line.keys() <= LINE_KEYS:
        unknown = next(key for key in line if key not in LINE_KEYS)
        known = ", ".join(sorted(LINE_KEYS))
        raise EngineError(ErrorCode.BAD_LINE, f"unknown key {repr(unknown)[:60]}: expected one of {known}")
    bet = parse_bet(line.get("bet"))
    rules = _rules_of_line(packs, line, bet)
    stake, dice = _parse_stake(line.get("stake")), line.get("dice")
    outcome = None if dice is None else parse_outcome(dice)
    if line.keys() <= PLAIN_KEYS:
        return rules, WagerQuestion(bet, stake, outcome)
    return rules, WagerQuestion(
        bet=bet,
        stake_cents=stake,
        outcome=outcome,
        limits=_parse_optional(line, "limits", _parse_limits) or NO_LIMITS,
        posted_odds=_parse_posted_odds(line.get("posted_odds"), bet),
        offered=_parse_optional(line, "offered", _parse_offered),
        is_promotional_token=_parse_optional(line, "tender", _parse_tender) == "promotional-token",
        was_warned=_parse_flag(line, "warned"),
        void_reason=_parse_optional(line, "void", _parse_void_reason),
        faces_read=_parse_optional(line, "faces_read", _parse_faces) or (),
        is_reported_established=_parse_flag(line, "outcome_established"),
        opening=_parse_optional(line, "opening", parse_outcome),
        history=_parse_optional(line, "history", _parse_history) or (),
        have_lights_failed=_parse_flag(line, "lights_failed"),
        called=_parse_optional(line, "called", parse_outcome),
    )


def _parse_optional(line: Mapping[str, Any], key: str, parse: Callable[[object], T]) -> T | None:
    raw = line.get(key)
    return None if raw is None else parse(raw)


def _rules_of_line(packs: PackCollection, line: Mapping[str, Any], bet: Bet) -> Rules:
    readings = line.get("readings") or {}
    if not isinstance(readings, dict) or not all(isinstance(choice, str) for choice in readings.values()):
        raise EngineError(ErrorCode.UNKNOWN_READING, "readings: expected an object of reading and choice")
    return _find_rules(
        packs,
        _parse_name(line.get("rules")),
        _parse_optional(line, "version", _parse_name),
        _parse_optional(line, "pay_table", _parse_name),
        bet.code,
        tuple(readings.items()),
    )


@lru_cache(maxsize=65536)
def _find_rules(
    packs: PackCollection, slug: str, version: str | None, pay_table: str | None, code: str, readings: AdoptedReadings
) -> Rules:
    """Cached: thousands of lines name the same few rules."""
    pack = packs.find(slug, version)
    table = choose_pay_table(pack, pay_table)
    return compile_adopted_rules(pack, table, adopt_affecting_readings(pack, table, code, dict(readings)))


def _parse_name(raw: object) -> str:
    """The name of rules, a version or a pay table. A JSON number is accepted and used as its text."""
    return raw if isinstance(raw, str) else repr(raw)[:60]


def _parse_stake(raw: object) -> int:
    if type(raw) is int and 0 < raw <= MAX_STAKE:
        return raw
    # repr() of an integer with thousands of digits raises ValueError.
    found = f"a number past {MAX_STAKE}" if isinstance(raw, int) and raw > MAX_STAKE else repr(raw)[:60]
    raise EngineError(ErrorCode.BAD_STAKE, f"{found} is not a stake: expected whole cents above 0")


def _parse_flag(line: Mapping[str, Any], key: str) -> bool:
    raw = line.get(key)
    if raw is None or isinstance(raw, bool):
        return bool(raw)
    raise EngineError(ErrorCode.BAD_LINE, f"{key}: found {repr(raw)[:60]}, expected true or false")


def _parse_limits(raw: object) -> WagerLimits:
    if not isinstance(raw, dict) or not raw.keys() <= LIMIT_KEYS:
        raise EngineError(ErrorCode.BAD_LIMITS, f"limits: expected an object of {', '.join(sorted(LIMIT_KEYS))}")
    multiples = raw.get("multiples")
    if multiples is not None and not isinstance(multiples, bool):
        raise EngineError(ErrorCode.BAD_LIMITS, f"limits.multiples: {repr(multiples)[:60]} is not true or false")
    low, high, unit = (_parse_amount(raw, key) for key in ("min", "max", "payable_unit"))
    return validate_limits(WagerLimits(low, high, bool(multiples), unit))


def _parse_amount(raw: Mapping[str, Any], key: str) -> int | None:
    amount = raw.get(key)
    if amount is None or (type(amount) is int and amount > 0):
        return amount
    raise EngineError(ErrorCode.BAD_LIMITS, f"limits.{key}: found {repr(amount)[:60]}, expected whole cents above 0")


def _parse_posted_odds(raw: object, bet: Bet) -> PostedOdds | None:
    """The odds posted for the bet on this line: one value, or a list with one value for each level."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        raise EngineError(ErrorCode.BAD_ODDS, "posted_odds: expected an object of bet and odds")
    posted = raw.get(bet.code)
    if isinstance(posted, list):
        return tuple(parse_odds(odds) for odds in posted)
    return None if posted is None else parse_odds(posted)


def _parse_offered(raw: object) -> frozenset[str]:
    if not isinstance(raw, list):
        raise EngineError(ErrorCode.BAD_LINE, "offered: expected a list of bet codes")
    for code in raw:
        if not isinstance(code, str) or code not in BETS:
            parse_bet(code)
    return frozenset(raw)


def _parse_tender(raw: object) -> str:
    if isinstance(raw, str) and raw in TENDERS:
        return raw
    raise EngineError(
        ErrorCode.UNKNOWN_TENDER, f"{repr(raw)[:60]} is not a tender: expected one of {', '.join(sorted(TENDERS))}"
    )


def _parse_void_reason(raw: object) -> str:
    if isinstance(raw, str):
        return raw[:60]
    raise EngineError(ErrorCode.UNKNOWN_VOID_REASON, f"{repr(raw)[:60]} is not a reason: expected its name")


def _parse_faces(raw: object) -> tuple[int, ...]:
    if isinstance(raw, list) and len(raw) <= len(OUTCOMES[0]) and all(type(f) is int and f in FACES for f in raw):
        return tuple(raw)
    raise EngineError(ErrorCode.BAD_DICE, "faces_read: expected at most three whole numbers from 1 to 6")


def _parse_history(raw: object) -> tuple[Outcome | None, ...]:
    if not isinstance(raw, list):
        raise EngineError(ErrorCode.BAD_HISTORY, "history: expected a list of results, null for no result")
    return tuple(None if each is None else parse_outcome(each, ErrorCode.BAD_HISTORY) for each in raw)
