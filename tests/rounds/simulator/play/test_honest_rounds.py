"""Every wager of an honest table is settled again by the naive reference, which shares no code with the engine."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from rounds.engine.bets.bet_codes import BETS
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.fields import BetLimits
from rounds.intake.protocol.round import Round, Wager
from rounds.simulator.play.controller_output import TableOutput, number_lines
from rounds.simulator.play.gaming_days import play_day
from rounds.simulator.play.round_events import cut_off_at
from rounds.simulator.play.table_config import TableConfig
from tests.rounds.reference.naive import naive_settle
from tests.rounds.simulator.gaming_days import (
    DAY,
    SEED,
    SLUGS,
    copy_table_day,
    honest_day,
    play_table_day,
    rounds_in,
    table_config,
)


def line_of(set_up: TableConfig, body: Round, wager: Wager) -> dict[str, Any]:
    """The wager as input of the settle command."""
    own = [limits for limits in body.player_limits if limits.player == wager.player]
    limits = own[0] if own else (body.limits or set_up.limits).for_bet(bet_of(wager))
    line: dict[str, Any] = {
        "rules": set_up.pack.slug,
        "dice": list(body.dice or body.cards or ()) or None,
        "bet": bet_of(wager),
        "stake": stake_of(wager),
        "tender": wager.tender,
        "limits": {"min": limits.min, "max": limits.max, "payable_unit": set_up.limits.payable_unit or 1},
    }
    if wager.terminal:
        line["pay_table"] = set_up.terminals[wager.terminal]
    if wager.warned:
        line["warned"] = True
    if bet_of(wager) in set_up.posted_odds:
        posted = set_up.posted_odds[bet_of(wager)]
        line["posted_odds"] = {bet_of(wager): posted if isinstance(posted, str) else list(posted)}
    if body.no_result is not None:
        # Stacked dice are not flat; only some documents list them separately, and the reference is literal.
        line["void"] = "not-flat" if body.no_result.reason == "stacked" else body.no_result.reason
    if body.lit == ():
        line["lights_failed"] = True
        if body.called is not None:
            line["called"] = list(body.called.faces)
    return {name: value for name, value in line.items() if value is not None}


def stake_of(wager: Wager) -> int:
    """The stake when betting closed."""
    changed = wager.changes[-1].stake if wager.changes else None
    return changed or wager.stake


def bet_of(wager: Wager) -> str:
    moved = wager.changes[-1].bet if wager.changes else None
    return moved or wager.bet


def settled(set_up: TableConfig, body: Round, wager: Wager) -> tuple[str, int]:
    """Adds what the settle command lacks: RWS 5.2.2 returns unregistered wagers of failed terminals."""
    if wager.registered is False and body.no_result is None:
        return "void", stake_of(wager)
    if wager.changes and wager.changes[-1].what == "withdrawn":
        return "void", stake_of(wager)
    answer = naive_settle(line_of(set_up, body, wager))
    assert "error" not in answer, answer
    return answer["verdict"], answer["returned"]


@pytest.mark.parametrize("slug", SLUGS)
def test_an_honest_table_pays_what_the_reference_pays(slug: str) -> None:
    set_up, compared = table_config(slug), 0
    for body in rounds_in(honest_day(slug)):
        for wager in body.wagers:
            if not BETS[wager.bet].is_streak:
                assert (wager.verdict, wager.returned) == settled(set_up, body, wager), (body.round, wager)
                compared += 1

    assert compared > 1_500


@pytest.mark.parametrize("slug", ["nsw-sic-bo", "rws-sic-bo-etg", "skycity-big-and-small"])
def test_players_keep_to_limits_by_type_of_wager(slug: str) -> None:
    """Small has a higher minimum and every total a lower maximum than the table."""
    usual = table_config(slug)
    own = {f"total:{total}": BetLimits(max=usual.limits.min) for total in range(4, 18)}
    own["small"] = BetLimits(min=usual.limits.min * 2)
    set_up = replace(usual, limits=msgspec.structs.replace(usual.limits, by_bet=own))
    compared, overlooked = 0, 0
    for body in rounds_in(play_day(set_up, day=DAY, rounds=60, seed=SEED).timeline):
        assert body.limits is not None
        for wager in body.wagers:
            if bet_of(wager) in own:
                limits = body.limits.for_bet(bet_of(wager))
                assert (wager.verdict, wager.returned) == settled(set_up, body, wager), (body.round, wager)
                compared += 1
                overlooked += not limits.min <= stake_of(wager) <= limits.max
    assert compared > 20
    assert overlooked < compared / 10


@pytest.mark.parametrize("slug", SLUGS)
def test_players_change_their_minds_in_time_and_in_every_way(slug: str) -> None:
    set_up, changed = table_config(slug), Counter[str]()
    for body in rounds_in(honest_day(slug)):
        closed = cut_off_at(set_up, body.events) or body.events[-1].at
        for wager in body.wagers:
            for change in wager.changes:
                assert wager.placed_at < change.at < closed
                changed[change.what] += 1

    assert min(changed[what] for what in ("raised", "lowered", "moved", "withdrawn")) >= 3, changed


@pytest.mark.parametrize("slug", SLUGS)
def test_a_line_that_was_wrong_is_taken_back_by_its_number_and_said_again(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rounds.simulator.play.table_day.MISREPORTED_ONE_IN", 5)
    timeline = play_table_day(slug, rounds=40).timeline
    lines = [parse_line(one.line) for _, one in number_lines(timeline.lines, table=table_config(slug).table, first=101)]
    by_number = {line.sequence: line for line in lines}
    corrections = [line for line in lines if line.kind == "correction"]
    assert len(corrections) > 1
    for correction in corrections:
        wrong = by_number[correction.body.corrects]
        right = next(line for line in lines if line.kind == "round" and line.sequence > correction.sequence)
        assert (wrong.kind, wrong.body.round) == ("round", right.body.round)
        assert wrong.body.dice == right.body.dice
        assert wrong.body != right.body
    said = [body.round for body in rounds_in(timeline)]
    assert len(said) == len(set(said))


def streak_history(timeline: TableOutput, wager: Wager) -> tuple[list[Any], bool]:
    """Results after the wager was placed, up to the round that ends it, and whether the lights failed there."""
    history: list[Any] = []
    placed = False
    for body in rounds_in(timeline):
        here = [one for one in body.wagers if one.id == wager.id]
        if placed:
            history.append(None if body.no_result is not None else list(body.dice or ()))
        if here and here[0].verdict != "open":
            return history, body.lit == ()
        placed = placed or bool(here)
    raise AssertionError(f"{wager.id} was never determined")


def test_every_streak_of_an_honest_day_ends_as_the_reference_has_it() -> None:
    timeline, set_up = honest_day("nsw-sic-bo"), table_config("nsw-sic-bo")
    rounds = rounds_in(timeline)
    ended = [w for body in rounds for w in body.wagers if BETS[w.bet].is_streak and w.verdict != "open"]
    opened = {w.id: body for body in rounds for w in body.wagers if w.verdict == "open"}
    for wager in ended:
        history, have_lights_failed = streak_history(timeline, wager)
        line = {
            "rules": "nsw-sic-bo",
            "bet": wager.bet,
            "stake": wager.stake,
            "history": history,
            "lights_failed": have_lights_failed,
            "opening": list(opened[wager.id].dice or ()) or None,
        }
        answer = naive_settle({name: value for name, value in line.items() if value is not None})

        assert (wager.verdict, wager.returned) == (answer["verdict"], answer["returned"]), (line, wager)

    assert len(ended) > 20
    assert len(opened) == len(ended)
    assert {wager.stake for wager in ended} == {set_up.streak_amount}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_line_is_one_that_the_service_reads(slug: str) -> None:
    table = table_config(slug).table
    numbered = [one for _, one in number_lines(honest_day(slug).lines, table=table, first=1)]

    assert [parse_line(one.line).sequence for one in numbered] == list(range(1, len(numbered) + 1))


@pytest.mark.parametrize("slug", SLUGS)
def test_players_bet_on_everything_the_table_offers(slug: str) -> None:
    """Over a day and a few more rounds of chance; a box that nobody could bet on would show here."""
    set_up = table_config(slug)
    offered = {box for place in set_up.seat_places for box in set_up.bets_at(place)}
    bet_on = {wager.bet for body in rounds_in(honest_day(slug)) for wager in body.wagers}

    assert len(bet_on & offered) > 0.9 * len(offered)
    assert {bet for bet in bet_on if not BETS[bet].is_streak} <= offered


def test_a_shift_that_begins_during_the_last_round_is_inspected_before_closing() -> None:
    table = copy_table_day("licensee-sic-bo", seed=1)
    table.schedule_shift_inspections()
    table.now = table.due[0].at + timedelta(seconds=30)
    before = len(table.timeline.lines)
    table.close(None)
    kinds = [line.kind for line in table.timeline.lines[before:]]
    assert "inspection" in kinds[: kinds.index("table-closed")]
