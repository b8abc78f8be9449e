"""Checks of the status page: guards, signing, consumers and verification of the ledger."""

from datetime import datetime, timedelta

import pytest

from compliance.core.web import health
from compliance.core.web.health import CheckResult
from rounds.ledger.health import check_checkpoints, check_consumers, check_database_guards, check_verification
from rounds.ledger.readers.consumer import consume
from rounds.ledger.verify.history import record_verification
from rounds.ledger.verify.verify_log import verify_log
from tests.rounds.ledger import harbour_log

OPENED_AT = harbour_log.OPENED_AT


def after(**time: float) -> datetime:
    return OPENED_AT + timedelta(**time)


def test_all_of_them_are_on_the_status_page(db: None) -> None:
    ours = [one.name for one in health.run_checks(OPENED_AT) if one.name.startswith("ledger")]
    assert ours == [
        "ledger guards",
        "ledger recording",
        "ledger checkpoints",
        "ledger followers",
        "ledger verification",
    ]


def test_a_service_without_logs_is_well(db: None) -> None:
    for check in (check_database_guards, check_checkpoints, check_consumers, check_verification):
        assert check(OPENED_AT).is_ok


@pytest.mark.usefixtures("committed_log")
def test_a_guard_that_is_off_is_told() -> None:
    with harbour_log.admin() as admin:
        admin.execute(f"ALTER TABLE {harbour_log.partition()} DISABLE TRIGGER ledger_no_change")
    assert check_database_guards(OPENED_AT) == CheckResult(
        False, f"Not in place: 1. First: the guard ledger_no_change of {harbour_log.partition()} is not always on."
    )


@pytest.mark.parametrize(("seconds", "is_ok"), [(179, True), (180, True), (181, False)])
def test_entries_wait_three_minutes_at_most_to_be_signed(log: str, seconds: int, is_ok: bool) -> None:
    harbour_log.play(1)
    assert check_checkpoints(after(seconds=seconds)) == CheckResult(
        is_ok, f"Entries of harbour wait {seconds} s to be signed."
    )


def test_a_quiet_log_needs_no_new_checkpoint(log: str) -> None:
    harbour_log.play(60)
    harbour_log.sign()
    assert check_checkpoints(after(days=9)) == CheckResult(True, "Every entry is covered by a signed checkpoint.")
    harbour_log.play(1, first=60)
    assert check_checkpoints(after(minutes=61)).detail == "Entries of harbour wait 60 s to be signed."


@pytest.mark.parametrize(("seconds", "is_ok"), [(299, True), (300, True), (301, False)])
def test_a_follower_is_missed_after_five_minutes(log: str, seconds: int, is_ok: bool) -> None:
    harbour_log.play(3)
    consume("audit", log, lambda entries: None, limit=1)
    assert check_consumers(after(seconds=seconds)) == CheckResult(
        is_ok, f"audit is 2 entries behind on harbour, by {seconds} s."
    )
    consume("audit", log, lambda entries: None)
    assert check_consumers(after(seconds=seconds)) == CheckResult(True, "Nobody is behind.")


@pytest.mark.parametrize(("minutes", "is_ok"), [(26 * 60 - 1, True), (26 * 60, True), (26 * 60 + 1, False)])
def test_a_log_is_verified_every_day(log: str, minutes: int, is_ok: bool) -> None:
    """Counted from the log's opening until its first verification."""
    assert check_verification(after(minutes=minutes)).is_ok is is_ok
    record_verification(verdict=verify_log(log), now=after(hours=26))
    assert check_verification(after(hours=26, minutes=minutes)).is_ok is is_ok
    assert check_verification(after(hours=52.1)).detail == "harbour was last verified 2026-11-17 11:30 UTC."


@pytest.mark.usefixtures("committed_log")
def test_a_log_that_does_not_fit_is_told_until_it_does() -> None:
    harbour_log.play(2)
    with harbour_log.unguarded() as admin:
        admin.execute(f"UPDATE {harbour_log.partition()} SET body = '{{}}' WHERE index = 1")
    record_verification(verdict=verify_log("harbour"), now=after(hours=1))
    assert check_verification(after(hours=2)) == CheckResult(
        False, "harbour does not fit, found 2026-11-16 10:30 UTC. See its record."
    )
