"""Draws: state transitions, enforced by the service and the database."""

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from promotions.draws.models import Draw, DrawStep
from promotions.draws.services import hold_draw, record_winner, schedule_draw, stop_draw, validate_draw
from promotions.draws.states import TRANSITIONS, DrawAct, DrawState
from promotions.shared.errors import DrawStateChanged, RoleRequired
from rounds.ledger.readers.consumer import read_entries
from tests.promotions.crew import DAY, HOUR, START, Crew, file_example_terms

DRAW_DAY = START + 13 * DAY


def scheduled(crew: Crew) -> Draw:
    promotion = file_example_terms(crew).promotion
    return schedule_draw(
        promotion=promotion, scheduled_at=DRAW_DAY, place="Stage", method="Barrel", actor=crew.mara, now=START
    )


def held(crew: Crew, draw: Draw, **changes: object) -> DrawStep:
    said = {
        "held_at": DRAW_DAY,
        "place": "Stage",
        "method": "Barrel",
        "entries": 812,
        "result": "Ticket 17",
        "scrutineer": "Sam Scrutineer",
        "is_confirmed": True,
    }
    return hold_draw(draw=draw, actor=crew.mara, now=DRAW_DAY + HOUR, **(said | changes))  # type: ignore[arg-type]


def stopped(crew: Crew, draw: Draw, act: DrawAct = DrawAct.POSTPONED) -> DrawStep:
    return stop_draw(
        draw=draw, act=act, determined_at=DRAW_DAY, reason="The barrel was open.", actor=crew.mara, now=DRAW_DAY
    )


def test_a_draw_that_was_held_says_how(crew: Crew) -> None:
    step = held(crew, scheduled(crew))
    [entry] = read_entries("harbour", step.entry_index, step.entry_index + 1)
    assert entry.kind == "promotion-drawn"
    assert entry.content()["particulars"] == {
        "place": "Stage",
        "method": "Barrel",
        "entries": 812,
        "scrutineer": "Sam Scrutineer",
        "scrutineer_confirmed": True,
    }
    assert step.has_scrutineer


def test_without_its_scrutineer_it_is_recorded_all_the_same(crew: Crew) -> None:
    assert not held(crew, scheduled(crew), scrutineer="", is_confirmed=True).has_scrutineer


def test_a_draw_is_stopped_validated_and_held(crew: Crew) -> None:
    draw = scheduled(crew)
    stop = stopped(crew, draw)
    assert stop.is_stop
    [entry] = read_entries("harbour", stop.entry_index, stop.entry_index + 1)
    assert (entry.kind, entry.content()["statement"]) == ("promotion-stop", "The barrel was open.")
    again = DRAW_DAY + DAY
    validate_draw(
        draw=draw, how="Entries were counted again.", scheduled_at=again, actor=crew.cleo, now=DRAW_DAY + HOUR
    )
    found = Draw.objects.with_state().get(pk=draw.pk)
    assert (found.state, found.due_at) == (DrawState.SCHEDULED, again)
    held(crew, draw)
    assert Draw.objects.with_state().get(pk=draw.pk).state == DrawState.HELD


def test_nothing_follows_a_cancelled_draw(crew: Crew) -> None:
    draw = scheduled(crew)
    stopped(crew, draw, DrawAct.CANCELLED)
    with pytest.raises(DrawStateChanged):
        held(crew, draw)
    with pytest.raises(DrawStateChanged):
        stopped(crew, draw)


def test_the_database_knows_the_same_table_of_states(crew: Crew) -> None:
    draw = scheduled(crew)
    for number, (state, act) in enumerate((state, act) for state in DrawState for act in DrawAct):
        if state is not DrawState.SCHEDULED or (state, act) in TRANSITIONS:
            continue
        with pytest.raises(DatabaseError, match="cannot be"), transaction.atomic():
            DrawStep.objects.create(
                draw=draw,
                step=1,
                act=act,
                before=state,
                after=DrawState.SCHEDULED,
                happened_at=DRAW_DAY,
                statement="x",
                scheduled_at=DRAW_DAY,
                by=crew.mara,
                recorded_at=DRAW_DAY,
                log="harbour",
                entry_index=10**6 + number,
            )


def test_a_winner_needs_a_draw_that_was_held_and_a_role(crew: Crew) -> None:
    draw = scheduled(crew)
    said: dict[str, Any] = {
        "draw": draw,
        "prize": "Hatchback",
        "value_cents": 2_500_000,
        "entry_drawn": "17",
        "person": {},
    }
    with pytest.raises(DrawStateChanged):
        record_winner(**said, actor=crew.mara, now=DRAW_DAY)
    held(crew, draw)
    with pytest.raises(RoleRequired):
        record_winner(**said, actor=crew.cast.ines, now=DRAW_DAY)
    assert record_winner(**said, actor=crew.mara, now=DRAW_DAY).reference == "P-1/D1/W1"
