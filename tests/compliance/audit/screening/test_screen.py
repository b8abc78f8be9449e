"""Screening has no false negatives: every round with a finding of the exact checks is selected by `rounds_to_check`.

Rounds are random, honest and with every kind of error.
"""

import random
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

import msgspec
import numpy as np
import pytest

from compliance.audit.checks import evaluate_round
from compliance.audit.checks.round.result_display import winning_areas
from compliance.audit.context.round_columns import build_columns
from compliance.audit.context.rules_in_force import RulesTimeline
from compliance.audit.context.streak_history import StreakHistory
from compliance.audit.projections.bulk_read import ROUND_HEADER, EncodedRounds
from compliance.audit.screening.screen import rounds_to_check
from compliance.audit.totals.clause_reading_impact import impact_by_range
from compliance.audit.totals.play_totals import total_play
from rounds.engine import RulesInForce
from rounds.engine.bets.bet_codes import BET_CODES
from rounds.engine.errors import EngineError
from rounds.engine.settle import TableEquipment
from rounds.engine.settle.settle_wager import settle_wager
from rounds.engine.settle.settlement import NO_LIMITS, WagerLimits
from rounds.engine.settle.wager_position import position_at_cut_off
from rounds.intake.columns import round_encoding
from rounds.intake.protocol.fields import BetLimits, Staff
from rounds.intake.protocol.fields import Limits as ShownLimits
from rounds.intake.protocol.round import Called, Change, Displayed, Entered, Round, RoundEvent, Wager
from tests.compliance.audit.round_builders import (
    LICENSEE,
    MBS,
    NSW,
    RWS,
    SECOND,
    SKYCITY,
    at,
    build_round,
    round_context,
    rules_in_force,
    void,
)
from tests.compliance.audit.round_builders import wager as usual_wager

ROUNDS = 150
# Enough that dropping any one selection of the screening is noticed.
SCREENED_ROUNDS = 3000


class Always:
    """Stands in for RulesTimeline: a table at which nothing ever changes."""

    def __init__(self, governing: RulesInForce) -> None:
        self.governing = governing

    def rules_at(self, table: str, instant: datetime) -> RulesInForce:
        return self.governing

    def period_indexes(self, table: str, instants: round_encoding.Instants) -> round_encoding.Instants:
        return np.zeros_like(instants)


def random_wager(dice: random.Random, number: int, governing: RulesInForce, is_wild: bool) -> Wager:
    pay_table = dice.choice(list(governing.pack.law.pay_table))
    codes = BET_CODES if is_wild else list(governing.rules_for_pay_table(pay_table).bets)
    tenders = round_encoding.TENDERS if is_wild and dice.random() < 0.2 else governing.pack.conduct.tenders.accepted  # type: ignore[union-attr]
    changes: tuple[Change, ...] = ()
    if is_wild and dice.random() < 0.2:
        what = dice.choice(("raised", "lowered", "moved", "withdrawn"))
        changes = (Change(what=what, at=at(dice.choice((29, 31))), stake=700, bet="big"),)  # type: ignore[arg-type]
    return Wager(
        id=f"w-{number}",
        player=f"p-{dice.randint(1, 3)}",
        bet=dice.choice(codes),
        stake=dice.choice((1, 99, 100, 250, 500, 1_000, 9_999, 10_000, 10_001)),
        tender=dice.choice(tenders),  # type: ignore[arg-type]
        placed_at=at(dice.choice((-1, 15, 20, 30, 30.5)) if is_wild else 20),
        verdict="lose",
        returned=0,
        changes=changes,
        terminal=f"t-{pay_table}" if governing.pay_tables_by_terminal else None,
        registered=dice.choice((None, True, True, False)) if is_wild else None,
        spoken=is_wild and dice.random() < 0.1,
        warned=is_wild and dice.random() < 0.1,
        within_box=False if is_wild and dice.random() < 0.1 else None,
    )


def settled(dice: random.Random, body: Round, governing: RulesInForce, is_wild: bool) -> Round:
    """The round settled correctly, with occasional errors where `is_wild`."""
    wagers = []
    for wager in body.wagers:
        looked_at = round_context(body, governing)
        rules = governing.rules_for_pay_table(governing.pay_table_for(wager.terminal) or "")
        position = position_at_cut_off(wager, looked_at.cut_off_at)
        try:
            verdict = settle_wager(rules, replace(looked_at.question(position), limits=NO_LIMITS))
            returned, said = verdict.returned_cents, verdict.verdict.value
        except EngineError:
            returned, said = 0, "lose"
        if returned is None or said not in ("win", "lose", "void"):
            returned, said = 0, "lose"
        if dice.random() < 0.8 and any(change.what == "withdrawn" for change in wager.changes):
            returned, said = position.stake_cents, "void"
        if is_wild and dice.random() < 0.15:
            returned = max(0, returned + dice.choice((-100, -1, 1, 100, 5_000)))
        wagers.append(msgspec.structs.replace(wager, returned=returned, verdict=said))
    return msgspec.structs.replace(body, wagers=tuple(wagers))


def random_round(dice: random.Random, rules: str, governing: RulesInForce) -> Round:
    is_wild = dice.random() < 0.7
    wagers = [random_wager(dice, number, governing, is_wild) for number in range(dice.randint(0, 6))]
    roll = (dice.randint(1, 6), dice.randint(1, 6), dice.randint(1, 6))
    rest: dict[str, Any] = {"tumbles": dice.choice((2, 3, 4)) if is_wild else 3}
    if is_wild and dice.random() < 0.1:
        rest |= void(dice.choice(list(governing.pack.law.void)))
    if is_wild and dice.random() < 0.1:
        rest["lit"] = ()
    body = settled(dice, build_round(rules, roll, *wagers, **rest), governing, is_wild)
    return conducted(dice, body, governing) if is_wild else body


def conducted(dice: random.Random, body: Round, governing: RulesInForce) -> Round:
    """The round with occasional errors of procedure: events moved or left out, wrong call, entry or display, areas lit,
    another sign."""
    events = [
        msgspec.structs.replace(event, at=event.at + dice.choice((0, 0, 0, 0, -11, 11)) * SECOND)
        for event in body.events
        if len(body.events) == 1 or dice.random() > 0.05
    ]
    changes: dict[str, Any] = {"events": tuple(events or body.events)}
    wrong = (dice.randint(1, 6), dice.randint(1, 6), dice.randint(1, 6))
    outcome = body.dice or body.cards
    if dice.random() < 0.1:
        changes["called"] = Called(faces=wrong)
    elif dice.random() < 0.1 and outcome is not None:
        position = dice.choice(("dealer", "casino-supervisor", "inspector"))
        total = dice.choice((None, sum(outcome)))
        changes["called"] = Called(faces=outcome, total=total, by=Staff(position=position))  # type: ignore[arg-type]
    if dice.random() < 0.1:
        changes["events"] += (RoundEvent(name="tumbled", at=at(dice.choice((5, 35))), count=1),)
    if dice.random() < 0.1:
        changes["entered"] = Entered(faces=wrong)
    if dice.random() < 0.02:
        changes["displayed"] = (Displayed(device="wnd", faces=wrong),)
    if dice.random() < 0.3 and outcome is not None and body.lit is None:
        lit = sorted(winning_areas(governing, outcome))
        changes["lit"] = tuple(lit[dice.randint(0, 1) :])
    if dice.random() < 0.3:
        changes["limits"] = ShownLimits(min=100, max=dice.choice((10_000, 20_000)))
    return msgspec.structs.replace(body, **changes)


def packed(*bodies: Round) -> EncodedRounds:
    """The rounds as PostgreSQL sends them, with entry indexes from 0."""
    headers = np.zeros(len(bodies), ROUND_HEADER)
    wagers = round_encoding.encode_wagers(bodies)
    for index, body in enumerate(bodies):
        tumbles = round_encoding.tumble_count(body)
        headers[index] = (
            index,
            0,
            round_encoding.encode_outcome(body),
            -1 if tumbles is None else tumbles,
            round_encoding.is_fully_encoded_round(body),
            body.no_result is not None,
            False,
            len(wagers[index]),
        )
    events = b"".join(map(round_encoding.encode_events, bodies))
    return EncodedRounds(["sb-1"] * len(bodies), headers.tobytes(), events, b"".join(wagers))


FACTS: dict[str, dict[str, Any]] = {
    NSW: {"limits": WagerLimits(100, 10_000), "equipment": TableEquipment(has_touch_screen=False)},
    RWS: {"limits": WagerLimits(100, 10_000)},
    MBS: {},
    SKYCITY: {"limits": WagerLimits(100, 10_000, needs_multiples=True, payable_unit_cents=100)},
    LICENSEE: {},
}


@pytest.mark.parametrize("rules", FACTS)
def test_pieces_come_to_what_the_whole_comes_to(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wagers are processed in parts. Some rounds have no wagers, some have more than a part holds."""
    dice, governing = random.Random(20261117), rules_in_force(rules, **FACTS[rules])
    bodies = [random_round(dice, rules, governing) for _ in range(ROUNDS)]

    def all_of_it() -> tuple[int, list[object]]:
        columns = build_columns(packed(*bodies), lambda *_: cast(RulesTimeline, Always(governing)))
        firsts = [0, ROUNDS // 3]
        weights = impact_by_range(columns, firsts, (), StreakHistory())
        return len(columns.parts), [rounds_to_check(columns), total_play(columns, firsts), weights]

    pieces, whole = all_of_it()
    assert pieces == 1
    for wagers in (1, 5, 64):
        monkeypatch.setattr("compliance.audit.context.round_columns.WAGERS_PER_PART", wagers)
        pieces, found = all_of_it()
        assert pieces > 1
        assert found == whole


@pytest.mark.parametrize("rules", FACTS)
def test_screening_has_no_false_negatives(rules: str) -> None:
    dice, governing = random.Random(20261116), rules_in_force(rules, **FACTS[rules])
    governing = rules_in_force(rules, **FACTS[rules], offered=governing.offered - {"odd", "field"})
    bodies = [random_round(dice, rules, governing) for _ in range(SCREENED_ROUNDS)]
    columns = build_columns(packed(*bodies), lambda *_: cast(RulesTimeline, Always(governing)))
    suspected = set(rounds_to_check(columns))
    guilty = {index for index, body in enumerate(bodies) if evaluate_round(round_context(body, governing))}
    assert guilty - suspected == set()
    assert guilty, "nothing was wrong in any of them"
    assert len(suspected) < SCREENED_ROUNDS, "all of them were suspected"


@pytest.mark.parametrize("rules", [NSW, RWS, SKYCITY])
def test_screening_has_no_false_negatives_under_limits_by_type_of_wager(rules: str) -> None:
    """A third of the rounds report the sign's general limits, a third those by type too. The limits of a type are
    wider or narrower than the table's, so that neither can stand for the other."""
    dice, limits = random.Random(20261119), WagerLimits(100, 10_000)
    by_type = {"small": WagerLimits(1, 10_001), "big": WagerLimits(100, 1_000), "total:9": WagerLimits(250, 500)}
    governing = rules_in_force(rules, limits=limits, limits_by_bet=by_type)
    signs = (
        ShownLimits(min=100, max=10_000),
        ShownLimits(min=100, max=10_000, by_bet={bet: BetLimits(max=1_000) for bet in by_type}),
        None,
    )
    bodies = [
        msgspec.structs.replace(random_round(dice, rules, governing), limits=signs[number % 3])
        for number in range(SCREENED_ROUNDS)
    ]
    columns = build_columns(packed(*bodies), lambda *_: cast(RulesTimeline, Always(governing)))
    suspected = set(rounds_to_check(columns))
    guilty = {index for index, body in enumerate(bodies) if evaluate_round(round_context(body, governing))}
    assert guilty - suspected == set()
    assert len(suspected) < SCREENED_ROUNDS


def test_a_sign_with_limits_by_type_that_are_not_on_record_is_selected() -> None:
    governing = rules_in_force(NSW, limits=WagerLimits(100, 10_000))
    sign = ShownLimits(min=100, max=10_000, by_bet={"small": BetLimits(max=1_000)})
    body = build_round(NSW, (1, 2, 4), limits=sign)
    columns = build_columns(packed(body), lambda *_: cast(RulesTimeline, Always(governing)))
    assert [draft.code for draft in evaluate_round(round_context(body, governing))] == ["LIMIT-SOURCES"]
    assert rounds_to_check(columns) == [0]


A_MOVE = Change(what="moved", at=at(25), bet="small")
HONESTLY_CHANGED: dict[str, tuple[str, int, Change, str, int]] = {
    # First box, stake, change; then verdict and amount returned after 1, 2, 3.
    "raised": ("small", 100, Change(what="raised", at=at(25), stake=300), "win", 600),
    "lowered": ("small", 300, Change(what="lowered", at=at(25), stake=100), "win", 200),
    "moved to what wins": ("big", 100, A_MOVE, "win", 200),
    "moved to what loses": ("small", 100, Change(what="moved", at=at(25), bet="big"), "lose", 0),
    "taken back": ("big", 100, Change(what="withdrawn", at=at(25)), "void", 100),
    "taken back below the minimum": ("big", 50, Change(what="withdrawn", at=at(25)), "void", 50),
}
WRONGLY_CHANGED = {
    "raised and paid as before": ("small", 100, Change(what="raised", at=at(25), stake=300), "win", 200),
    "raised late": ("small", 100, Change(what="raised", at=at(31), stake=300), "win", 600),
    "moved late": ("big", 100, Change(what="moved", at=at(31), bet="small"), "win", 200),
    "moved from a box that is not offered": ("field", 100, A_MOVE, "win", 200),
    "raised above the maximum": ("small", 100, Change(what="raised", at=at(25), stake=10_001), "win", 20_002),
    "taken back late": ("big", 100, Change(what="withdrawn", at=at(31)), "void", 100),
    "taken back and a cent kept": ("big", 100, Change(what="withdrawn", at=at(25)), "void", 99),
    "taken back and lost": ("big", 100, Change(what="withdrawn", at=at(25)), "lose", 0),
}


@pytest.mark.parametrize("done", [*HONESTLY_CHANGED, *WRONGLY_CHANGED])
def test_second_thoughts_in_time_are_settled_by_matrix_and_nothing_else_is(done: str) -> None:
    bet, stake, change, verdict, returned = {**HONESTLY_CHANGED, **WRONGLY_CHANGED}[done]
    governing = rules_in_force(MBS, limits=WagerLimits(100, 10_000))
    governing = rules_in_force(MBS, limits=WagerLimits(100, 10_000), offered=governing.offered - {"field"})
    wager = Wager(
        id="w",
        seat=1,
        bet=bet,
        stake=stake,
        tender="value-chips",
        placed_at=at(20),
        changes=(change,),
        verdict=verdict,  # type: ignore[arg-type]
        returned=returned,
    )
    body = build_round(MBS, (1, 2, 3), wager)
    columns = build_columns(packed(body), lambda *_: cast(RulesTimeline, Always(governing)))

    assert bool(rounds_to_check(columns)) is (done in WRONGLY_CHANGED)
    if done in HONESTLY_CHANGED:
        assert not evaluate_round(round_context(body, governing))


@pytest.mark.parametrize(
    ("bet", "verdict", "returned", "is_suspected"),
    [
        # A dollar each, after 1, 2, 3: small pays 1 to 1 and big loses.
        ("small", "win", 200, False),
        ("small", "win", 201, True),
        ("small", "win", 199, True),
        ("small", "lose", 200, True),
        ("big", "lose", 0, False),
        ("big", "lose", 1, True),
        ("big", "win", 0, True),
    ],
)
def test_a_cent_too_much_or_too_little_is_enough(bet: str, verdict: str, returned: int, is_suspected: bool) -> None:
    governing = rules_in_force(MBS, limits=WagerLimits(100, 10_000))
    wager = Wager(
        id="w",
        seat=1,
        bet=bet,
        stake=100,
        tender="value-chips",
        placed_at=at(20),
        verdict=verdict,  # type: ignore[arg-type]
        returned=returned,
    )
    columns = build_columns(
        packed(build_round(MBS, (1, 2, 3), wager)), lambda *_: cast(RulesTimeline, Always(governing))
    )
    assert bool(rounds_to_check(columns)) is is_suspected


def test_posted_odds_are_looked_at_by_matrix_too() -> None:
    from fractions import Fraction

    posted = {"total:4": Fraction(60), "single:1": (Fraction(1), Fraction(2), Fraction(3))}
    governing = rules_in_force(LICENSEE, posted_odds=posted)

    def are_suspected(bet: str, dice: tuple[int, int, int], returned: int) -> bool:
        wager = Wager(
            id="w", seat=1, bet=bet, stake=100, tender="value-chips", placed_at=at(20), verdict="win", returned=returned
        )
        body = build_round(LICENSEE, dice, wager)
        columns = build_columns(packed(body), lambda *_: cast(RulesTimeline, Always(governing)))
        return bool(rounds_to_check(columns))

    assert not are_suspected("total:4", (1, 1, 2), 6_100)
    assert are_suspected("total:4", (1, 1, 2), 5_100)
    assert not are_suspected("single:1", (1, 1, 2), 300)
    assert are_suspected("single:1", (1, 1, 2), 200)


def test_packing_is_stable_and_unpacks_to_what_was_packed() -> None:
    wager = Wager(
        id="w", seat=1, bet="total:4", stake=100, tender="plaques", placed_at=at(20), verdict="open", returned=None
    )
    body = build_round(NSW, (1, 2, 3), wager)
    [record] = round_encoding.decode_wagers(round_encoding.encode_wagers([body]))
    assert (BET_CODES[record["bet"]], int(record["stake"]), int(record["returned"])) == ("total:4", 100, -1)
    assert round_encoding.from_microseconds(record["placed"]) == at(20)
    [times] = round_encoding.decode_events([round_encoding.encode_events(body)])
    assert round_encoding.from_microseconds(times[round_encoding.EVENT_INDEX["bets-open"]]) == at(10)
    assert int(times[round_encoding.EVENT_INDEX["bell-rung"]]) == round_encoding.NO_TIME


@pytest.mark.parametrize(
    "limits",
    [
        {"limits": WagerLimits(100, 10_000)},
        {"limits": WagerLimits(100, 50_000), "limits_by_bet": {"small": WagerLimits(100, 10_000)}},
    ],
    ids=["the table's maximum", "the box's maximum"],
)
@pytest.mark.parametrize(
    ("players", "bets", "is_suspected"),
    [("ab", ["small", "small"], False), ("aa", ["small", "odd"], False), ("aa", ["small", "small"], True)],
    ids=["two players on a box", "a player on two boxes", "a player twice on a box"],
)
def test_stakes_of_one_player_on_one_box_count_together(
    players: str, bets: list[str], is_suspected: bool, limits: dict[str, Any]
) -> None:
    """$60 and $60 with a maximum of $100, beside a wager of somebody else on another box: in every case the round's
    total exceeds one player's maximum."""
    governing = rules_in_force(NSW, **limits)
    wagers = [
        usual_wager(bet, 6_000, 0, player=player, id=f"w-{number}")
        for number, (player, bet) in enumerate(zip(players, bets, strict=True))
    ]
    body = build_round(NSW, (6, 6, 6), *wagers, usual_wager("big", 6_000, 0, player="c"))
    columns = build_columns(packed(body), lambda *_: cast(RulesTimeline, Always(governing)))
    assert bool(rounds_to_check(columns)) is is_suspected
