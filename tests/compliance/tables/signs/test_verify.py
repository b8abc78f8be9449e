"""Rows of signs, notices and closures agree with the ledger, and `verify_ledger` reports altered rows."""

from compliance.tables.closures.services import announce_closure, close_table, reopen_table
from compliance.tables.limit_notices.services import end_player_limit, set_player_limit
from compliance.tables.signs.services import end_display
from rounds.ledger.verify.verify_log import verify_log
from tests.compliance.tables.signs.builders import (
    MINUTE,
    START,
    add_screen,
    nsw_table,
    put_up,
    raise_minimum,
    refresh_until,
    run_workers,
)
from tests.compliance.tampering import tampered
from tests.rounds.floor.crew import Crew


def a_busy_evening(crew: Crew) -> None:
    """A display shows a raise, is lost and comes back; a player gets limits; the table closes and reopens."""
    table = nsw_table(crew)
    notice, display = raise_minimum(crew, table), add_screen(crew, table)
    refresh_until(display, notice.sign, START, START + 2 * MINUTE)
    refresh_until(display, notice.sign, START + 4 * MINUTE, START + 6 * MINUTE)
    run_workers(START + 22 * MINUTE)
    limit = set_player_limit(
        table=table, player="p-7", seat=None, min_cents=1_000, max_cents=90_000, actor=crew.sid, now=START
    )
    put_up(crew, limit.sign, START)
    end_player_limit(limit=limit, actor=crew.gina, now=START + MINUTE)
    closure = announce_closure(
        table=table,
        closes_at=START + 30 * MINUTE,
        players_present=True,
        streak_in_progress=False,
        actor=crew.sid,
        now=START,
    )
    put_up(crew, closure.sign, START)
    close_table(closure=closure, actor=crew.sid, now=START + 30 * MINUTE)
    reopen_table(table=table, actor=crew.sid, now=START + 40 * MINUTE)
    end_display(display=display, actor=crew.sid, now=START + 50 * MINUTE)


def assert_each_is_found(altered: dict[str, str]) -> None:
    """Runs each statement on the same evening's data and compares what `verify_ledger` reports."""
    assert verify_log("harbour").is_intact
    for statement, found in altered.items():
        with tampered(statement.removeprefix("DELETE FROM ").removeprefix("UPDATE ").split()[0], statement):
            verdict = verify_log("harbour")
        assert verdict.first_issue is not None, statement
        assert found in verdict.first_issue.sentence, statement
    assert verify_log("harbour").is_intact


UP_SINCE = "a sign is said to be up since then, and this entry says something else."
NOTICE, CLOSING = "the notice is kept in another state", "the closing is kept in another state"


def test_what_is_altered_in_the_database_is_found(committed_crew: Crew) -> None:
    a_busy_evening(committed_crew)
    assert_each_is_found(
        {
            "UPDATE signs_showing SET since_at = since_at - interval '1 hour' WHERE source = 'display'": UP_SINCE,
            "UPDATE notices_limitnotice SET min_cents = 600": "",
            "UPDATE closures_closure SET players_present = false": "",
            "DELETE FROM closures_closurestep WHERE state = 'closed'": "",
            "UPDATE closures_closure SET state = 'withdrawn'": CLOSING,
            "UPDATE notices_limitnotice SET state = 'in-force'": NOTICE,
            "UPDATE notices_limitnotice SET state = 'scheduled'": NOTICE,
            "UPDATE notices_noticestep SET state = 'withdrawn'": NOTICE,
            "UPDATE notices_playerlimit SET ended_at = NULL, ended_by_id = NULL": "a player's limit ended by this",
            "UPDATE notices_playerlimit SET ended_at = ended_at - interval '1 s'": "a player's limit ended by this",
            "UPDATE signs_display SET ended_at = NULL, ended_by_id = NULL": "a display ended by this entry",
            "UPDATE signs_display SET ended_by_id = ended_by_id + 1": "a display ended by this entry",
        }
    )


def test_what_is_made_out_to_be_over_is_found(committed_crew: Crew) -> None:
    """A raise, a closing, a player's limits and a display, none of which has ended."""
    table = nsw_table(committed_crew)
    raise_minimum(committed_crew, table)
    add_screen(committed_crew, table)
    set_player_limit(
        table=table, player="p-7", seat=None, min_cents=1_000, max_cents=90_000, actor=committed_crew.sid, now=START
    )
    announce_closure(
        table=table,
        closes_at=START + 30 * MINUTE,
        players_present=True,
        streak_in_progress=False,
        actor=committed_crew.sid,
        now=START,
    )
    assert_each_is_found(
        {
            "UPDATE signs_display SET ended_at = added_at, ended_by_id = added_by_id": "a display that began here",
            "UPDATE notices_limitnotice SET state = 'withdrawn'": "the notice is kept as ended, and no entry ended it.",
            "UPDATE closures_closure SET state = 'closed'": CLOSING,
            "UPDATE notices_playerlimit SET ended_at = allowed_at, ended_by_id = allowed_by_id": (
                "a player's limit that began here"
            ),
        }
    )
