"""The order of events in an honest round, typed in from the five documents."""

from datetime import timedelta
from itertools import pairwise

import pytest

from rounds.intake.protocol.equipment import Fault, FaultCleared, Inspection
from rounds.intake.protocol.round import Round
from rounds.intake.protocol.table import LimitsChanged, SignShown, StreakState, TableClosed
from rounds.simulator.play.controller_output import TableOutput
from tests.rounds.simulator.gaming_days import SLUGS, honest_day, rounds_in, table_config

ORDER = {
    "nsw-sic-bo": (
        "tumbled",
        "bets-open",
        "no-more-bets-called",
        "no-more-bets-signalled",
        "no-more-bets-pressed",
        "uncovered",
        "result-called",
        "result-entered",
        "areas-lit",
        "losers-collected",
        "winners-paid",
    ),
    "rws-sic-bo-etg": (
        "bets-open",
        "no-more-bets-displayed",
        "tumbled",
        "uncovered",
        "result-entered",
        "losers-collected",
        "winners-paid",
    ),
    "mbs-3-card-sic-bo": ("bets-open", "no-more-bets-called", "drawn", "losers-collected", "winners-paid"),
    "skycity-big-and-small": (
        "tumbled",
        "bets-open",
        "bell-rung",
        "no-more-bets-called",
        "uncovered",
        "result-called",
        "result-entered",
        "areas-lit",
        "losers-collected",
        "winners-paid",
    ),
    "licensee-sic-bo": (
        "bets-open",
        "no-more-bets-called",
        "tumbled",
        "result-called",
        "result-entered",
        "areas-lit",
        "losers-collected",
        "winners-paid",
        "lights-cleared",
    ),
}


def settled_rounds(slug: str) -> list[Round]:
    return [body for body in rounds_in(honest_day(slug)) if body.no_result is None and body.lit != ()]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_round_has_its_documents_events_in_their_order(slug: str) -> None:
    for body in settled_rounds(slug):
        assert tuple(event.name for event in body.events) == ORDER[slug]
        assert all(one.at < other.at for one, other in pairwise(body.events))


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "mbs-3-card-sic-bo"])
def test_dice_are_tumbled_at_least_three_times(slug: str) -> None:
    counts = {event.count for body in settled_rounds(slug) for event in body.events if event.name == "tumbled"}

    assert counts <= {3, 4}


@pytest.mark.parametrize("slug", SLUGS)
def test_wagers_are_placed_while_they_may_be(slug: str) -> None:
    for body in settled_rounds(slug):
        opened = next(event.at for event in body.events if event.name == "bets-open")
        closed = next(event.at for event in body.events if event.name.startswith(("no-more-bets", "bell")))
        ordinary = [wager for wager in body.wagers if not wager.bet.startswith("streak:")]

        assert ordinary
        assert all(opened < wager.placed_at < closed for wager in ordinary)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_table_says_things_in_the_order_in_which_they_happen(slug: str) -> None:
    said = honest_day(slug).lines

    assert [one.at for one in said] == sorted(one.at for one in said)
    assert said[0].kind != "round"
    assert [one.kind for one in said if one.kind in ("table-opened", "table-closed")] == [
        "table-opened",
        "table-closed",
    ]


def test_a_streak_is_bet_on_while_its_area_flashes_and_before_the_next_tumble() -> None:
    timeline = honest_day("nsw-sic-bo")
    rounds = rounds_in(timeline)
    shown = {said.body.round: said.body for said in timeline.lines if isinstance(said.body, StreakState)}
    for body, following in pairwise(rounds):
        for wager in body.wagers:
            if wager.verdict == "open":
                pair = "small-big" if "small" in wager.bet or "big" in wager.bet else "odd-even"
                state = next(streak for streak in shown[body.round].streaks if streak.pair == pair)
                assert state.flashing
                assert body.events[-1].at < wager.placed_at < following.events[0].at


def limit_changes(timeline: TableOutput) -> list[tuple[timedelta | None, int]]:
    """For each change: how long its sign had been shown, and the new minimum."""
    shown = {said.body.sign: said.at for said in timeline.lines if isinstance(said.body, SignShown)}
    return [
        (said.at - shown[said.body.sign] if said.body.sign else None, said.body.limits.min)
        for said in timeline.lines
        if isinstance(said.body, LimitsChanged)
    ]


def test_a_minimum_goes_up_twenty_minutes_after_its_sign_and_down_without_one() -> None:
    raised, lowered = limit_changes(honest_day("nsw-sic-bo"))

    assert raised[0] is not None
    assert raised[0] >= timedelta(minutes=20)
    assert (raised[1], lowered) == (1_000, (None, 500))


def test_a_player_goes_above_the_maximum_only_after_a_sign_for_that_player() -> None:
    timeline = honest_day("nsw-sic-bo")
    [sign] = [s for s in timeline.lines if isinstance(s.body, SignShown) and s.body.purpose == "player-limits"]
    assert isinstance(sign.body, SignShown)
    above = [
        (body.events[0].at, wager)
        for body in rounds_in(timeline)
        if body.limits is not None
        for wager in body.wagers
        if wager.stake == 2 * body.limits.max
    ]

    assert len(above) > 20
    assert {wager.player for _, wager in above} == {sign.body.player}
    assert all(at > sign.at for at, _ in above)


def test_a_table_with_streaks_closes_after_its_sign_and_when_no_streak_is_left() -> None:
    timeline = honest_day("nsw-sic-bo")
    closed = next(said for said in timeline.lines if isinstance(said.body, TableClosed))
    signs = {said.body.sign: said for said in timeline.lines if isinstance(said.body, SignShown)}
    assert isinstance(closed.body, TableClosed)
    sign = signs[closed.body.sign or ""]

    assert closed.at - sign.at >= timedelta(minutes=20)
    assert not closed.body.streak_in_progress
    last_open = [body for body in rounds_in(timeline) if any(w.verdict == "open" for w in body.wagers)][-1]
    assert last_open.events[0].at < sign.at


def test_an_officer_is_told_before_a_big_and_small_table_closes() -> None:
    closed = next(said for said in honest_day("skycity-big-and-small").lines if isinstance(said.body, TableClosed))
    assert isinstance(closed.body, TableClosed)

    assert [told.position for told in closed.body.told] == ["inspector"]
    assert closed.body.told[0].at < closed.at


def test_equipment_is_inspected_before_a_licensees_table_opens() -> None:
    said = honest_day("licensee-sic-bo").lines
    opened = next(place for place, one in enumerate(said) if one.kind == "table-opened")
    before = [one.body for one in said[:opened] if isinstance(one.body, Inspection)]

    assert [(i.item, i.by.position, i.trials) for i in before] == [
        ("electrical-device", "games-supervisor", 1),
        ("automated-shaker", "games-supervisor", 3),
    ]


@pytest.mark.parametrize("slug", ["nsw-sic-bo", "licensee-sic-bo"])
def test_no_round_is_played_between_a_fault_and_its_mending(slug: str) -> None:
    said = honest_day(slug).lines
    for place, one in enumerate(said):
        if isinstance(one.body, Fault):
            assert isinstance(said[place + 1].body, FaultCleared)


def test_a_shoe_is_counted_before_the_next_and_has_enough_cards() -> None:
    set_up, timeline = table_config("mbs-3-card-sic-bo"), honest_day("mbs-3-card-sic-bo")
    kinds = [said.kind for said in timeline.lines]

    for place, kind in enumerate(kinds[1:], start=1):
        if kind == "shoe-changed":
            assert kinds[place - 1] == "deck-count"
    assert set_up.decks == 4
    faces: dict[tuple[str, int], int] = {}
    for body in rounds_in(timeline):
        for face in body.cards or ():
            faces[body.shoe or "", face] = faces.get((body.shoe or "", face), 0) + 1
    assert max(faces.values()) <= 4 * 8
