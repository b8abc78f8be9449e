"""Two people change the floor at the same instant, with real commits: one succeeds, the other gets a clear refusal."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from compliance.core.web.errors import Refusal
from rounds.floor.fact_values import LimitsValue
from rounds.floor.models import ControllerKey, Fact, FactRetraction, Table
from rounds.floor.selectors import facts_at
from rounds.floor.services import add_table, approve_key, propose_key, record_fact, retract_fact, revoke_key
from tests.rounds.floor.crew import (
    HOUR,
    OPENING,
    PUBLIC_KEY,
    Crew,
    gather,
    new_controller,
    new_table,
    record_table_fact,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def crew() -> Crew:
    return gather()


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Runs them concurrently; returns for each "done" or the code of its refusal."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> str:
        start.wait()
        try:
            act()
        except Refusal as refusal:
            return refusal.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(run, acts))


def test_two_who_choose_one_short_name(crew: Crew) -> None:
    def add(name: str) -> Callable[[], object]:
        return lambda: add_table(casino=crew.harbour, slug="sb-1", name=name, actor=crew.sid, now=OPENING)

    assert at_once(add("First"), add("Second")) == ["done", "floor-name-taken"]
    assert Table.objects.count() == 1


def test_one_approves_while_another_revokes_and_the_key_never_counts_after(crew: Crew) -> None:
    key = propose_key(controller=new_controller(crew), public_key=PUBLIC_KEY, actor=crew.cora, now=OPENING)
    came_to = at_once(
        lambda: approve_key(key=key, actor=crew.cast.ada, now=OPENING + HOUR),
        lambda: revoke_key(key=ControllerKey.objects.get(), reason="Lost.", actor=crew.cora, now=OPENING + HOUR),
    )
    assert came_to in (["done", "done"], ["done", "key-not-waiting"])
    assert not ControllerKey.objects.active(OPENING + 2 * HOUR).exists()


def test_two_who_approve_one_key(crew: Crew) -> None:
    key = propose_key(controller=new_controller(crew), public_key=PUBLIC_KEY, actor=crew.cora, now=OPENING)
    approvers = (crew.cast.ada, crew.cast.bruno)
    came_to = at_once(*(lambda who=who: approve_key(key=key, actor=who, now=OPENING + HOUR) for who in approvers))
    assert came_to == ["done", "key-not-waiting"]


def test_two_who_take_one_fact_back(crew: Crew) -> None:
    fact = record_table_fact(crew, new_table(crew), LimitsValue(min=500, max=50_000))
    people = (crew.sid, crew.cora)
    came_to = at_once(
        *(lambda who=who: retract_fact(fact=fact, reason="Wrong.", actor=who, now=OPENING + HOUR) for who in people)
    )
    assert came_to == ["done", "fact-taken-back-already"]
    assert FactRetraction.objects.count() == 1


def test_facts_stated_together_are_all_kept_and_one_of_them_holds(crew: Crew) -> None:
    table = new_table(crew)

    def say(minimum: int) -> Callable[[], object]:
        value = LimitsValue(min=minimum, max=50_000)
        return lambda: record_fact(
            casino=crew.harbour, table=table, value=value, effective_at=OPENING, actor=crew.sid, now=OPENING
        )

    assert at_once(*(say(500 + number) for number in range(4))) == ["done"] * 4
    last = Fact.objects.order_by("-pk")[0]
    assert facts_at(table, OPENING).rows["limits"] == last
    assert Fact.objects.values("entry_index").distinct().count() == 4
