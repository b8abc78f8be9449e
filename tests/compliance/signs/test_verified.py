"""Everything recorded of signs, notices and closings agrees with the ledger, and what somebody alters is found."""

import pytest

from compliance.closures.services import announce_closure, close_table, reopen_table
from compliance.notices.services import allow_player, end_player_limit
from compliance.signs.services import end_display
from rounds.ledger.verification import verify_log
from tests.compliance.signs.floor import MINUTE, START, nsw_table, put_up, raise_minimum, screen, show, tick
from tests.compliance.tampering import tamper
from tests.rounds.floor.crew import Crew


def a_busy_evening(crew: Crew) -> None:
    """A display shows a raise, is lost and comes back; a player gets limits; the table closes and opens."""
    table = nsw_table(crew)
    notice, display = raise_minimum(crew, table), screen(crew, table)
    show(display, notice.sign, START, START + 2 * MINUTE)
    show(display, notice.sign, START + 4 * MINUTE, START + 6 * MINUTE)
    tick(START + 22 * MINUTE)
    limit = allow_player(
        table=table, player="p-7", seat=None, min_cents=1_000, max_cents=90_000, actor=crew.sid, now=START
    )
    put_up(crew, limit.sign, START)
    end_player_limit(limit=limit, actor=crew.gina, now=START + MINUTE)
    closure = announce_closure(
        table=table, closes_at=START + 30 * MINUTE, players_present=True, streak_in_progress=False, actor=crew.sid,
        now=START,
    )  # fmt: skip
    put_up(crew, closure.sign, START)
    close_table(closure=closure, actor=crew.sid, now=START + 30 * MINUTE)
    reopen_table(table=table, actor=crew.sid, now=START + 40 * MINUTE)
    end_display(display=display, actor=crew.sid, now=START + 50 * MINUTE)


@pytest.mark.parametrize(
    ("table", "statement", "found"),
    [
        (
            "signs_showing",
            "UPDATE signs_showing SET since_at = since_at - interval '1 hour' WHERE source = 'display'",
            "a sign is said to be up since then, and this entry says something else.",
        ),
        ("notices_limitnotice", "UPDATE notices_limitnotice SET min_cents = 600", ""),
        ("closures_closure", "UPDATE closures_closure SET players_present = false", ""),
        ("closures_closurestep", "DELETE FROM closures_closurestep WHERE state = 'closed'", ""),
    ],
)  # fmt: skip
def test_what_is_altered_in_the_database_is_found(committed_crew: Crew, table: str, statement: str, found: str) -> None:
    a_busy_evening(committed_crew)
    assert verify_log("harbour").is_whole
    tamper(table, statement)
    verdict = verify_log("harbour")
    assert verdict.first_misfit is not None
    assert found in verdict.first_misfit.sentence
