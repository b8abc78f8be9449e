"""That nobody is at a table where wagers were just made is pointed out before the closing is recorded."""

from datetime import timedelta

import pytest
from time_machine import TimeMachineFixture

from compliance.tables.closures.models import Closure
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_anyway, shown_prediction
from tests.compliance.tables.closures.test_closures import play
from tests.compliance.tables.signs.builders import MINUTE, START, nsw_table
from tests.rounds.floor.crew import Crew

CLOSE = "/casinos/harbour/closures/tables/sb-1/announce/"
SECOND = timedelta(seconds=1)
DOUBT = "Round R-1 had 1 wager on 1 Jun 2026, 5:01 pm AEST, and you say that no players are at the table."


@pytest.mark.parametrize(
    ("since", "players", "doubts"),
    [(5 * MINUTE, "no", [DOUBT]), (5 * MINUTE + SECOND, "no", []), (MINUTE, "yes", [])],
)
def test_no_players_beside_a_round_with_wagers(
    crew: Crew, time_machine: TimeMachineFixture, since: timedelta, players: str, doubts: list[str]
) -> None:
    nsw_table(crew)
    play(START, "R-0")
    play(START + MINUTE, "R-1", ("w-1", "small", "lose"))
    time_machine.move_to(START + MINUTE + since, tick=False)
    sid, typed = browser_of(crew.sid), {"players_present": players, "when": "soonest"}
    page = sid.post(CLOSE, typed)
    assert list(shown_prediction(page).doubts) == doubts
    assert all(doubt in page.content.decode() for doubt in doubts)
    assert Closure.objects.count() == (0 if shown_prediction(page) else 1)
    if doubts:
        post_anyway(sid, CLOSE, typed)
        assert Closure.objects.count() == 1
