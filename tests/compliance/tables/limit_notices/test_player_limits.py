"""NSW 4.6: limits of one player, with a sign of their own. SkyCity 8.d: warnings about wagers under the minimum."""

from datetime import date

import pytest

from compliance.tables.limit_notices.errors import BadLimits, NotInRules, PlayerHasLimits, PlayerLimitEnded, TimeIsPast
from compliance.tables.limit_notices.models import PlayerLimit, UnderMinimumWarning
from compliance.tables.limit_notices.services import end_player_limit, set_player_limit, warn_player
from compliance.tables.signs.errors import RoleRequired
from compliance.tables.signs.models import Sign
from compliance.tables.signs.presentation.text import sign_facts
from compliance.tables.signs.selectors import clock_of
from rounds.floor.fact_values import GamingDayValue
from rounds.floor.models import Table
from rounds.ledger.readers.search import size_of
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.tables.signs.builders import MINUTE, SECOND, SKYCITY, START, entries_of, nsw_table, put_up
from tests.rounds.floor.crew import Crew, record_table_fact, table_under

AT_TABLE = "/casinos/harbour/notices/tables/sb-1/"


def allowed(crew: Crew, table: Table, **said: object) -> PlayerLimit:
    usual = {"player": "p-17", "seat": None, "min_cents": 10_000, "max_cents": 2_500_000, "actor": crew.sid}
    return set_player_limit(table=table, now=START, **usual | said)  # type: ignore[arg-type]


def test_a_player_gets_limits_and_a_sign_that_counts_from_when_it_is_up(crew: Crew) -> None:
    limit = allowed(crew, nsw_table(crew))
    assert (limit.sign.clause, limit.sign.notice_minutes) == ("4.6", 0)
    assert [f"{fact.label} {fact.value}" for fact in sign_facts(limit.sign)] == [
        "Only for p-17",
        "Minimum $100",
        "Maximum $25,000",
    ]
    assert not clock_of(limit.sign, START).is_up
    put_up(crew, limit.sign, START + MINUTE)
    assert clock_of(limit.sign, START + MINUTE).displayed_since == START + MINUTE
    end_player_limit(limit=limit, actor=crew.gina, now=START + 5 * MINUTE)
    assert not Sign.objects.active().exists()
    assert [len(entries_of(kind)) for kind in ("sign-shown", "sign-removed")] == [1, 1]
    with pytest.raises(PlayerLimitEnded):
        end_player_limit(limit=limit, actor=crew.gina, now=START + 6 * MINUTE)


def test_what_is_refused_of_a_players_limits_leaves_nothing(crew: Crew) -> None:
    table = nsw_table(crew)
    allowed(crew, table)
    before = size_of("harbour")
    with pytest.raises(BadLimits, match=r"below the minimum \(clause 4\.6\)"):
        allowed(crew, table, player="p-18", min_cents=10_000, max_cents=9_999)
    with pytest.raises(PlayerHasLimits):
        allowed(crew, table)
    for person in (crew.cora, crew.cast.ines, crew.cast.otto):
        with pytest.raises(RoleRequired, match=r"clause 4\.6"):
            allowed(crew, table, player="p-19", actor=person)
    assert (size_of("harbour"), PlayerLimit.objects.count(), Sign.objects.count()) == (before, 1, 1)


def test_rules_that_know_no_limits_of_one_player_and_no_warning(crew: Crew) -> None:
    with pytest.raises(NotInRules):
        allowed(crew, table_under(crew, SKYCITY, "bs-1"))
    with pytest.raises(NotInRules):
        warn_player(table=nsw_table(crew), player="p-1", seat=None, warned_at=START, actor=crew.sid, now=START)


def test_a_warning_is_kept_for_its_gaming_day(crew: Crew) -> None:
    """The gaming day turns at 6 am: a warning at 5:59:59 am belongs to the day before."""
    table = table_under(crew, SKYCITY)
    record_table_fact(crew, None, GamingDayValue(cut_over="06:00"))
    six = START + 13 * 60 * MINUTE
    before, after = (
        warn_player(table=table, player="p-1", seat=None, warned_at=at, actor=crew.gina, now=six)
        for at in (six - SECOND, six)
    )
    assert (before.gaming_day, after.gaming_day) == (date(2026, 6, 1), date(2026, 6, 2))
    with pytest.raises(TimeIsPast, match=r"has not come yet.*clause 8\.d"):
        warn_player(table=table, player="p-1", seat=None, warned_at=six + SECOND, actor=crew.gina, now=six)
    with pytest.raises(RoleRequired):
        warn_player(table=table, player="p-1", seat=None, warned_at=six, actor=crew.cora, now=six)
    assert UnderMinimumWarning.objects.count() == len(entries_of("under-minimum-warning")) == 2


def test_the_pages_ask_for_a_mark_or_a_seat_and_keep_what_was_typed(crew: Crew) -> None:
    nsw_table(crew)
    sid = browser_of(crew.sid)
    nobody = sid.post(f"{AT_TABLE}player-limits/allow/", {"min": "100", "max": "25000"}).content.decode()
    assert "Say which player, or which seat." in nobody
    assert 'value="25000"' in nobody
    named = sid.post(f"{AT_TABLE}player-limits/allow/", {"player": "Pat Doe", "min": "1", "max": "2"}).content.decode()
    assert "such as p-17" in named
    assert not PlayerLimit.objects.exists()
    sid.post(f"{AT_TABLE}player-limits/allow/", {"seat": "4", "min": "100", "max": "25000"})
    listed = sid.get(f"{AT_TABLE}player-limits/").content.decode()
    assert "seat 4" in listed
    assert "Not up yet" in listed
