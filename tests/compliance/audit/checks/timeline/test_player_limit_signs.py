"""NSW 4.6: limits of one player, on record or reported with the round, need that player's sign. Other documents have no
such limits."""

from datetime import datetime

import pytest

from compliance.audit.models import Finding
from compliance.tables.limit_notices.models import PlayerLimit
from compliance.tables.limit_notices.services import end_player_limit, set_player_limit
from compliance.tables.signs.services import confirm_sign
from rounds.floor.fact_values import LimitsValue
from rounds.intake.protocol.fields import PlayerLimits
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import SKYCITY, at, wager
from tests.compliance.audit.table_lines import TableReporter, after

pytestmark = pytest.mark.django_db
MAXIMUM = 50_000
OWN_MINIMUM, OWN_MAXIMUM = 10_000, 100_000


@pytest.fixture
def table(house: House) -> TableReporter:
    house.open_table(limits=LimitsValue(min=500, max=MAXIMUM))
    return TableReporter(house)


def put_on_record(house: House, now: datetime, *, seat: int | None = None) -> PlayerLimit:
    table, player = house.casino.tables.get(), "" if seat else "p-01"
    limits = {"min_cents": OWN_MINIMUM, "max_cents": OWN_MAXIMUM}
    return set_player_limit(table=table, player=player, seat=seat, actor=house.crew.sid, now=now, **limits)


def show_sign(house: House, limit: PlayerLimit, now: datetime) -> None:
    confirm_sign(sign=limit.sign, shown_at=now, actor=house.crew.gina, now=now)


def codes(house: House) -> list[str]:
    house.audit()
    return house.codes()


@pytest.mark.parametrize("seat", [None, 4], ids=["player", "seat"])
@pytest.mark.parametrize(
    ("stake", "found"),
    [
        (OWN_MINIMUM - 1, ["WAGER-UNDER-MIN"]),
        (OWN_MINIMUM, []),
        (OWN_MINIMUM + 1, []),
        (MAXIMUM, []),
        (MAXIMUM + 1, []),
        (OWN_MAXIMUM, []),
        (OWN_MAXIMUM + 1, ["LIMIT-OVER-MAX"]),
    ],
)
def test_limits_on_record_with_their_sign_up_count(
    table: TableReporter, seat: int | None, stake: int, found: list[str]
) -> None:
    house = table.house
    show_sign(house, put_on_record(house, after(-5), seat=seat), after(-4))
    house.play((4, 5, 6), wager("small", stake, 0, seat=4))
    assert codes(house) == found


@pytest.mark.parametrize(("stake", "found"), [(MAXIMUM, []), (MAXIMUM + 1, ["LIMIT-PLAYER-SIGN"])])
def test_limits_on_record_without_their_sign(table: TableReporter, stake: int, found: list[str]) -> None:
    house = table.house
    put_on_record(house, after(-5))
    house.play((4, 5, 6), wager("small", stake, 0))
    assert codes(house) == found


@pytest.mark.parametrize(
    ("seconds", "found"), [(29, ["LIMIT-OVER-MAX"]), (30, ["LIMIT-OVER-MAX"]), (31, [])], ids=["before", "at", "after"]
)
def test_limits_that_ended_by_the_cut_off_count_no_more(table: TableReporter, seconds: int, found: list[str]) -> None:
    """Betting closes at 30 s."""
    house = table.house
    limit = put_on_record(house, after(-5))
    show_sign(house, limit, after(-4))
    end_player_limit(limit=limit, actor=house.crew.gina, now=at(seconds))
    house.play((4, 5, 6), wager("small", MAXIMUM + 1, 0))
    assert codes(house) == found


@pytest.mark.parametrize(
    ("seconds", "found"), [(29, []), (30, []), (31, ["LIMIT-OVER-MAX"])], ids=["before", "at", "after"]
)
def test_limits_must_be_on_record_by_the_cut_off(table: TableReporter, seconds: int, found: list[str]) -> None:
    house = table.house
    show_sign(house, put_on_record(house, at(seconds)), at(seconds))
    house.play((4, 5, 6), wager("small", MAXIMUM + 1, 0))
    assert codes(house) == found


def test_limits_of_another_player_do_not_count(table: TableReporter) -> None:
    house = table.house
    show_sign(house, put_on_record(house, after(-5)), after(-4))
    house.play((4, 5, 6), wager("small", MAXIMUM + 1, 0, player="p-02"))
    assert codes(house) == ["LIMIT-OVER-MAX"]


@pytest.mark.parametrize(
    ("second", "found"), [(30_000, []), (30_001, ["LIMIT-PLAYER-SIGN"])], ids=["at-the-maximum", "just-over"]
)
@pytest.mark.parametrize("is_shown", [True, False], ids=["sign", "no-sign"])
def test_two_wagers_on_one_box_count_together(
    table: TableReporter, second: int, found: list[str], is_shown: bool
) -> None:
    own = PlayerLimits(min=500, max=OWN_MAXIMUM, player="p-01")
    if is_shown:
        table.shows("p", "player-limits", after(-1), min=own.min, max=own.max, player=own.player)
    table.house.play(
        (4, 5, 6),
        wager("small", MAXIMUM - 30_000, 0, id="first"),
        wager("small", second, 0, id="second", placed_at=at(21)),
        wager("big", 40_000, 80_000, id="other-box"),
        player_limits=(own,),
    )
    assert codes(table.house) == ([] if is_shown else found)
    if found and not is_shown:
        assert Finding.objects.get().wager == "second"


def test_a_document_without_limits_of_one_player(house: House) -> None:
    house.open_table(rules=SKYCITY, limits=LimitsValue(min=500, max=MAXIMUM))
    own = PlayerLimits(min=500, max=OWN_MAXIMUM, player="p-01")
    house.play((4, 5, 6), wager("small", MAXIMUM, 0, rules=SKYCITY), player_limits=(own,))
    assert codes(house) == []
