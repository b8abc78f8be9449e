"""Builders of rounds: honest events in the order of each rule set, and wagers as a table reports them."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from compliance.audit.context.round_context import RoundContext
from rounds.engine import RulesInForce
from rounds.engine.pack.pack_file import Pack
from rounds.engine.settle import RuleVersionRef
from rounds.engine.settle.settlement import WagerLimits
from rounds.intake.protocol.round import Called, NoResult, Round, RoundEvent, Wager
from rounds.rulepacks import shipped_packs

NSW, RWS, MBS = "nsw-sic-bo", "rws-sic-bo-etg", "mbs-3-card-sic-bo"
SKYCITY, LICENSEE = "skycity-big-and-small", "licensee-sic-bo"
START = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
# Ten seconds apart; betting closes at 30 s at every table.
ORDER = {
    NSW: (
        "tumbled",
        "bets-open",
        "",
        "no-more-bets-called",
        "uncovered",
        "result-called",
        "result-entered",
        "areas-lit",
    ),
    RWS: ("bets-open", "", "", "no-more-bets-displayed", "tumbled", "uncovered"),
    MBS: ("bets-open", "", "", "no-more-bets-called", "drawn"),
    SKYCITY: (
        "tumbled",
        "bets-open",
        "no-more-bets-called",
        "bell-rung",
        "uncovered",
        "result-called",
        "result-entered",
        "areas-lit",
    ),
    LICENSEE: (
        "bets-open",
        "",
        "",
        "no-more-bets-called",
        "tumbled",
        "result-called",
        "result-entered",
        "areas-lit",
        "lights-cleared",
    ),
}
USUAL_TENDER = {RWS: "terminal-credits"}


def at(seconds: float) -> datetime:
    return START + seconds * SECOND


def pack_of(rules: str) -> Pack:
    return shipped_packs().find(rules)


def rules_in_force(rules: str = NSW, **changes: Any) -> RulesInForce:
    """Every wager offered and no limits, unless given."""
    pack = pack_of(rules)
    every = frozenset(str(bet) for wager in pack.law.wager.values() for bet in wager.bets)
    tables = tuple(pack.law.pay_table)
    given: dict[str, Any] = {
        "version": RuleVersionRef(1, rules, 1, 3),
        "pack": pack,
        "readings": {name: reading.default for name, reading in pack.readings.items()},
        "offered": every,
        "pay_table": tables[0] if len(tables) == 1 else None,
        "pay_tables_by_terminal": {f"t-{name}": name for name in tables} if len(tables) > 1 else {},
    }
    return RulesInForce(**given | changes)


def limits(low: int, high: int, **rest: Any) -> dict[str, Any]:
    return {"limits": WagerLimits(low, high, **rest)}


def wager(bet: str, stake: int, returned: int | None, *, rules: str = NSW, **rest: Any) -> Wager:
    """The verdict follows from the amount, unless given."""
    usual: dict[str, Any] = {
        "id": f"w-{bet}-{stake}",
        "player": "p-01",
        "tender": USUAL_TENDER.get(rules, "value-chips"),
        "placed_at": at(20),
        "verdict": "open" if returned is None else "lose" if returned == 0 else "win",
    }
    if rules == RWS:
        usual |= {"terminal": "t-1", "registered": True}
    return Wager(bet=bet, stake=stake, returned=returned, **usual | rest)


def called(dice: tuple[int, int, int], **rest: Any) -> Called:
    """The result called from the lowest to the highest, with the total."""
    low, middle, high = sorted(dice)
    return Called(faces=(low, middle, high), **{"total": sum(dice)} | rest)


def build_round(rules: str, dice: tuple[int, int, int] | None, *wagers: Wager, tumbles: int = 3, **rest: Any) -> Round:
    events = tuple(
        RoundEvent(name=name, at=at(10 * place), count=tumbles if name == "tumbled" else None)  # type: ignore[arg-type]
        for place, name in enumerate(ORDER[rules])
        if name
    )
    usual: dict[str, Any] = {
        "round": "r-1",
        "gaming_day": date(2026, 11, 16),
        "events": events,
        "called": called(dice) if dice and rules != MBS else None,
        "cards" if rules == MBS else "dice": dice,
        "wagers": wagers,
    }
    return Round(**usual | rest)


def void(reason: str, **rest: Any) -> dict[str, Any]:
    return {"no_result": NoResult(reason=reason, **rest)}  # type: ignore[arg-type]


def round_context(body: Round, governing: RulesInForce) -> RoundContext:
    return RoundContext(index=7, table="sb-1", round=body, rules_in_force=governing)
