"""Facts in force at any instant: the last to take effect, of several the last recorded, without retracted ones."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from rounds.floor.fact_values import (
    LimitsValue,
    PayTableValue,
    PostedOddsValue,
    TableRulesValue,
    TerminalLayoutValue,
    WagersOfferedValue,
    read_value,
)
from rounds.floor.models import Fact, FactRetraction
from rounds.floor.selectors import (
    facts_at,
    offered_bets,
    pack_for,
    pay_table_for,
    table_fact_history,
    terminal_facts_at,
    upcoming_facts,
    version_for,
)
from rounds.floor.services import add_terminal, record_fact, retire_table, retract_fact
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.verify.verify_log import verify_log
from tests.conftest import superuser
from tests.rounds.floor.crew import (
    HOUR,
    JUST_BEFORE,
    OPENING,
    Crew,
    adopt_rules,
    new_table,
    record_table_fact,
    refusal_of,
    table_under,
)

TEN, FIFTY = LimitsValue(min=1_000, max=100_000), LimitsValue(min=5_000, max=100_000)


def test_a_fact_holds_from_its_instant_until_the_next_one(crew: Crew) -> None:
    table = new_table(crew)
    assert facts_at(table, OPENING).get(LimitsValue) is None
    record_table_fact(crew, table, TEN)
    record_table_fact(crew, table, FIFTY, OPENING + HOUR)
    assert facts_at(table, OPENING + JUST_BEFORE).get(LimitsValue) is None
    assert facts_at(table, OPENING).get(LimitsValue) == TEN
    assert facts_at(table, OPENING + HOUR + JUST_BEFORE).get(LimitsValue) == TEN
    assert facts_at(table, OPENING + HOUR).get(LimitsValue) == FIFTY


def test_of_two_facts_at_one_instant_the_last_recorded_counts(crew: Crew) -> None:
    table = new_table(crew)
    record_table_fact(crew, table, TEN, OPENING, now=OPENING)
    record_table_fact(crew, table, FIFTY, OPENING, now=OPENING + HOUR)
    assert facts_at(table, OPENING).get(LimitsValue) == FIFTY
    assert [fact.parse_value() for fact in table_fact_history(table, "limits")] == [FIFTY, TEN]


def test_a_fact_recorded_late_takes_its_place_in_the_past(crew: Crew) -> None:
    table = new_table(crew)
    record_table_fact(crew, table, FIFTY, OPENING + 3 * HOUR)
    record_table_fact(crew, table, TEN, OPENING + HOUR, now=OPENING + 5 * HOUR)
    assert facts_at(table, OPENING + 2 * HOUR).get(LimitsValue) == TEN
    assert facts_at(table, OPENING + 4 * HOUR).get(LimitsValue) == FIFTY


def test_a_fact_taken_back_never_held_and_stays_readable(crew: Crew) -> None:
    table = new_table(crew)
    record_table_fact(crew, table, TEN)
    wrong = record_table_fact(crew, table, FIFTY, OPENING + HOUR)
    retract_fact(fact=wrong, reason="Another table was meant.", actor=crew.cora, now=OPENING + 2 * HOUR)
    assert facts_at(table, OPENING + HOUR).get(LimitsValue) == TEN
    newest = table_fact_history(table, "limits")[0]
    assert newest.parse_value() == FIFTY
    assert newest.taken_back.reason == "Another table was meant."
    correction = read_entries("harbour", newest.taken_back.entry_index, newest.taken_back.entry_index + 1)[0]
    assert correction.kind == "correction"
    assert correction.content()["corrects"] == wrong.entry_index
    again = refusal_of(lambda: retract_fact(fact=wrong, reason="x", actor=crew.cora, now=OPENING + 2 * HOUR))
    assert again.code == "fact-taken-back-already"


def test_what_takes_effect_later_is_upcoming_and_not_in_force(crew: Crew) -> None:
    table = new_table(crew)
    record_table_fact(crew, table, TEN)
    later = record_table_fact(crew, table, FIFTY, OPENING + HOUR, now=OPENING)
    assert list(upcoming_facts(Fact.objects.filter(table=table), OPENING)) == [later]
    assert list(upcoming_facts(Fact.objects.filter(table=table), OPENING + HOUR)) == []


def test_the_version_for_a_round_needs_the_rules_of_the_table_and_their_approval(crew: Crew) -> None:
    table = table_under(crew, "nsw-sic-bo")
    version = version_for(table, OPENING)
    assert version is not None
    assert version.rules == "nsw-sic-bo"
    assert version_for(table, OPENING + JUST_BEFORE) is None
    assert version_for(new_table(crew, "sb-2"), OPENING) is None


def test_optional_wagers_are_off_until_offered(crew: Crew) -> None:
    table = table_under(crew, "nsw-sic-bo")
    pack = pack_for(table, OPENING)
    assert pack is not None
    bets = offered_bets(pack, facts_at(table, OPENING))
    assert {"small", "total:4", "single:6"} <= bets
    assert not {"odd", "even", "four:1-2-3-4", "streak:small"} & bets
    record_table_fact(crew, table, WagersOfferedValue(wagers=("even",)), OPENING + HOUR)
    later = offered_bets(pack, facts_at(table, OPENING + HOUR))
    assert later - bets == {"even"}


def test_the_layout_of_a_terminal_decides_its_pay_table(crew: Crew) -> None:
    table = table_under(crew, "rws-sic-bo-etg")
    terminal = add_terminal(table=table, slug="t-01", actor=crew.sid, now=OPENING)
    record_table_fact(crew, table, PayTableValue(pay_table="1"))
    record_table_fact(crew, table, TerminalLayoutValue(layout="Appendix C"), terminal=terminal)
    pack = pack_for(table, OPENING)
    assert pack is not None
    facts = facts_at(table, OPENING)
    assert pay_table_for(pack, facts) == "1"
    assert pay_table_for(pack, facts, terminal_facts_at(table, OPENING)["t-01"]) == "3"


def test_who_states_a_fact_and_who_may_not(crew: Crew) -> None:
    table = new_table(crew)
    for person in (crew.gina, crew.cast.ines, crew.cast.ada, crew.cast.mara, crew.cast.otto):
        assert refusal_of(partial(record_table_fact, crew, table, TEN, actor=person)).code == "floor-not-yours"
    record_table_fact(crew, table, TEN, actor=crew.cora)
    assert Fact.objects.count() == 1


def test_a_fact_is_about_what_its_kind_says(crew: Crew) -> None:
    assert refusal_of(lambda: record_table_fact(crew, None, TEN)).code == "unknown-fact"


@pytest.mark.parametrize(
    ("kind", "raw", "field"),
    [
        (LimitsValue, {"min": 0, "max": 500}, "min"),
        (LimitsValue, {"min": 100, "max": 5.5}, "max"),
        (LimitsValue, {"min": 100, "max": 500, "maximum": 1}, ""),
        (TableRulesValue, {"rules": "NSW"}, "rules"),
        (PostedOddsValue, {"odds": {"total:4": 60}}, "odds[...]"),
    ],
)
def test_a_malformed_value_names_the_member(kind: type, raw: dict[str, object], field: str) -> None:
    refusal = refusal_of(lambda: read_value(kind, raw))
    assert refusal.code == "bad-fact"
    assert refusal.field == field  # type: ignore[attr-defined]


def test_facts_of_many_years_are_read_in_one_query(
    crew: Crew, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    table = new_table(crew)
    for hour in range(12):
        record_table_fact(crew, table, LimitsValue(min=1_000 + hour, max=100_000), OPENING + hour * HOUR)
    with django_assert_num_queries(1):
        assert facts_at(table, OPENING + 5 * HOUR).get(LimitsValue) == LimitsValue(min=1_005, max=100_000)


def test_the_database_keeps_facts_as_they_were_written(crew: Crew) -> None:
    table = new_table(crew)
    fact = record_table_fact(crew, table, TEN)
    retract_fact(fact=fact, reason="Wrong.", actor=crew.sid, now=OPENING)
    for rows in (Fact.objects.all(), FactRetraction.objects.all()):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        Fact.objects.update(effective_at=OPENING)
    with pytest.raises(DatabaseError), transaction.atomic():
        FactRetraction.objects.update(reason="Right.")


def test_rows_and_entries_agree_and_a_row_that_was_changed_is_found(committed_crew: Crew) -> None:

    crew = committed_crew
    table = table_under(crew, "licensee-sic-bo")
    terminal = add_terminal(table=table, slug="t-01", actor=crew.sid, now=OPENING)
    record_table_fact(crew, table, TEN, note="As the sign says.")
    record_table_fact(crew, table, TerminalLayoutValue(layout="A"), terminal=terminal)
    record_table_fact(
        crew, table, PostedOddsValue(odds={"total:4": "60 to 1", "single:1": ("1 to 1", "2 to 1", "3 to 1")})
    )
    retire_table(table=table, actor=crew.sid, now=OPENING + HOUR)
    assert verify_log("harbour").is_intact

    with superuser(connection.settings_dict["NAME"]) as admin:
        admin.execute("ALTER TABLE floor_fact DISABLE TRIGGER floor_no_change")
        admin.execute("UPDATE floor_fact SET value = '{\"min\": 1, \"max\": 100000}' WHERE name = 'limits'")
        admin.execute("ALTER TABLE floor_fact ENABLE ALWAYS TRIGGER floor_no_change")
    [misfit] = verify_log("harbour").issues
    assert "table-facts" in misfit.sentence


def test_times_are_kept_to_the_microsecond(crew: Crew) -> None:
    adopt_rules(crew, "nsw-sic-bo")
    table = new_table(crew)
    instant = datetime(2026, 6, 2, 3, 4, 5, 678901, tzinfo=UTC)
    fact = record_fact(casino=crew.harbour, table=table, value=TEN, effective_at=instant, actor=crew.sid, now=instant)
    entry = read_entries("harbour", fact.entry_index, fact.entry_index + 1)[0]
    assert entry.content()["effective_at"] == "2026-06-02T03:04:05.678901Z"
    assert entry.table == "sb-1"
    assert facts_at(table, instant).rows["limits"].effective_at - instant == timedelta(0)
