"""The trial worker: differences, totals and limits of a trial; cancelling and retrying it, a worker that dies, two
workers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from compliance.analysis.what_if.compare_rules import FindingChange as Judged
from compliance.analysis.what_if.compare_rules import count_amounts_once
from compliance.analysis.what_if.errors import NotAllowedToTry, NothingToTry, TooManyTrials
from compliance.analysis.what_if.models import TotalDimension, Trial, TrialDifference, TrialRange, TrialTotal
from compliance.analysis.what_if.run.worker import begin_trial, run_waiting_trials
from compliance.analysis.what_if.scope import TrialScope
from compliance.analysis.what_if.selectors import count_changes
from compliance.analysis.what_if.services import MAX_WAITING, cancel_trial, request_trial, retry_trial
from compliance.analysis.what_if.subjects import subject_from_draft, subject_from_readings, subject_from_version
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.models import Block
from compliance.core.web.jobs.job import JobEnded, JobNotEnded, JobState
from compliance.core.web.jobs.locks import Lock
from rounds.intake.protocol.round import Change
from rounds.rulebook.versions.drafts import save_draft_pack, save_draft_readings
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.analysis.what_if.trial_setup import (
    EVERY_EVEN,
    FIRST_DAY,
    LATER_DAY,
    NEXT_DAY,
    TrialSetup,
    changed,
    current_findings,
    played_bench,
    predicted_changes,
)
from tests.compliance.audit.house import NOW
from tests.compliance.audit.round_builders import NSW, at, wager
from tests.compliance.audit.run.test_reaudit import TEN, TEN_BETTER
from tests.rounds.floor.crew import refusal_of


def test_what_is_foretold_is_what_the_audit_finds_once_the_reading_is_adopted(bench: TrialSetup) -> None:
    before, trial = current_findings("harbour"), bench.try_it()
    assert trial.state == JobState.DONE, trial.failure
    bench.adopt()
    differs = changed(before, current_findings("harbour"))
    assert {wager for _, wager in differs} == {"collected", "paid", "wrong", "triple", "next-day"}
    assert predicted_changes(trial) == differs


def test_where_no_rule_says_what_is_due_nothing_is_added_up() -> None:
    silent = FindingDraft(
        code="SETTLE-OVERPAID",
        check="settlement",
        index=1,
        table="sb-1",
        at=NOW,
        sentence="",
        version=1,
        wager="w",
        required_cents=None,
        found_cents=2_000,
    )
    assert Judged(None, silent, FIRST_DAY).at_stake_cents == 0
    assert Judged(silent, replace(silent, required_cents=500), FIRST_DAY).at_stake_cents == 0
    assert Judged(None, replace(silent, required_cents=500), FIRST_DAY).at_stake_cents == -1_500
    assert Judged(replace(silent, required_cents=500), None, FIRST_DAY).at_stake_cents == 1_500


def test_what_one_wager_is_due_is_counted_once_however_many_findings_state_it() -> None:
    """Its settlement states the amounts; a second finding about the same wager is counted without them."""
    limit = FindingDraft(
        code="WAGER-OVER-MAX",
        check="over-maximum",
        index=1,
        table="sb-1",
        at=NOW,
        sentence="",
        version=1,
        wager="w",
        required_cents=500,
        found_cents=3_000,
    )
    settled = replace(limit, code="SETTLE-OVERPAID", check="settlement", required_cents=1_000)
    other, round_ = replace(settled, wager="other"), replace(limit, wager="", required_cents=None, found_cents=None)
    changes = [Judged(None, each, FIRST_DAY) for each in (limit, settled, other, round_)]
    counted = list(count_amounts_once(changes))
    assert [(each.due_now_cents, each.due_then_cents, each.at_stake_cents) for each in counted] == [
        (None, None, 0),
        (3_000, 1_000, -2_000),
        (3_000, 1_000, -2_000),
        (None, None, 0),
    ]


def sums(trial: Trial, by: TotalDimension) -> dict[str, tuple[int, int, int, int, int]]:
    columns = ("differences", "due_now_cents", "due_then_cents", "more_cents", "less_cents")
    return {row.name: tuple(getattr(row, name) for name in columns) for row in trial.sums.filter(by=by)}


def test_what_differs_is_added_up_by_table_box_player_and_clause(bench: TrialSetup) -> None:
    trial = bench.try_it()
    assert (trial.rounds, trial.wagers, trial.differences, trial.rounds_waiting) == (6, 8, 5, 0)
    assert (trial.more_cents, trial.less_cents) == (18_000, 6_000)
    assert sums(trial, TotalDimension.TABLE) == {
        "sb-1": (3, 0, 8_000, 8_000, 0),
        "sb-2": (2, 6_000, 10_000, 10_000, 6_000),
    }
    assert sums(trial, TotalDimension.BET) == {"even": (5, 6_000, 18_000, 18_000, 6_000)}
    by_player = trial.sums.filter(by=TotalDimension.HOLDER).order_by("gaming_day", "name")
    assert [(row.name, row.gaming_day, row.differences, row.more_cents) for row in by_player] == [
        ("p-01", FIRST_DAY, 2, 4_000),
        ("p-02", FIRST_DAY, 1, 4_000),
        ("sb-2, seat 4", FIRST_DAY, 1, 0),
        ("p-01", NEXT_DAY, 1, 10_000),
    ]
    assert sum(row.differences for row in trial.sums.filter(by=TotalDimension.CLAUSE)) == 5
    for by in TotalDimension:
        for _, now, then, more, less in sums(trial, by).values():
            assert then - now == more - less
    counts = count_changes(trial)
    assert counts.all == counts.new + counts.gone + counts.changed == 5
    assert counts.new == trial.found.filter(code_now="").exclude(code_then="").count()
    assert counts.gone == trial.found.filter(code_then="").exclude(code_now="").count()
    assert counts.text.startswith(f"5 findings of {counts.rounds} rounds: {counts.new} would be new")


def test_a_wager_that_was_moved_counts_where_it_lay_in_the_end(opened: TrialSetup) -> None:
    moved = (Change(what="moved", at=at(20), bet="even"),)
    opened.house.play((4, 2, 4), wager("total:5", 1_000, 0, id="moved", changes=moved))
    opened.house.audit()
    trial = opened.try_it()
    assert list(trial.found.values_list("wager", "bet", "due_then_cents")) == [("moved", "even", 2_000)]
    assert list(sums(trial, TotalDimension.BET)) == ["even"]


# Number of rounds in scope, and the wagers whose settlement differs.
SCOPES: list[tuple[TrialScope, int, list[str]]] = [
    (TrialScope(frozenset({"sb-1"})), 3, ["collected", "paid", "wrong"]),
    (TrialScope(first_on=NEXT_DAY), 1, ["next-day"]),
    (TrialScope(last_on=FIRST_DAY), 5, ["collected", "paid", "wrong", "triple"]),
    (TrialScope(frozenset({"sb-2"}), FIRST_DAY, FIRST_DAY), 2, ["triple"]),
    (TrialScope(frozenset({"sb-1"}), NEXT_DAY, NEXT_DAY), 0, []),
]


def test_it_is_tried_over_the_tables_and_days_that_were_chosen(bench: TrialSetup) -> None:
    for scope, rounds, wagers in SCOPES:
        trial = bench.try_it(scope=scope)
        assert (trial.state, trial.rounds) == (JobState.DONE, rounds)
        assert list(trial.found.values_list("wager", flat=True)) == wagers


def test_only_blocks_where_something_fits_are_looked_at(long: TrialSetup) -> None:
    everywhere, later = long.ask(), long.ask(scope=TrialScope(first_on=LATER_DAY))
    for trial in (everywhere, later):
        begin_trial(trial=trial)
    assert [trial.stretches.count() for trial in (everywhere, later)] == [2, 1]
    run_waiting_trials(lambda: NOW)
    assert list(later.found.values_list("wager", flat=True)) == ["later"]
    assert everywhere.found.count() == 6


def test_rounds_that_wait_for_the_audit_are_counted_and_not_tried(bench: TrialSetup) -> None:
    for table in ("sb-1", "sb-2", "sb-2"):
        bench.house.play((4, 2, 4), wager("even", 1_000, 0), table=table)
    assert bench.try_it().rounds_waiting == 3
    trial = bench.try_it(scope=TrialScope(frozenset({"sb-2"})))
    assert (trial.rounds_waiting, trial.rounds) == (2, 3)
    # A reopened block waits as a whole.
    Block.objects.filter(log="harbour").update(audited_to=0, generation=2)
    trial = bench.try_it()
    assert (trial.rounds_waiting, trial.rounds) == (9, 0)
    assert bench.try_it(scope=TrialScope(first_on=NEXT_DAY)).rounds_waiting == 4


def test_a_draft_is_tried_as_it_stands_and_a_version_like_any_other(opened: TrialSetup) -> None:
    opened.house.play((4, 2, 4), wager("total:10", 1_000, 7_000, id="ten"), wager("even", 1_000, 0, id="even"))
    opened.house.audit()
    with pytest.raises(NothingToTry):
        subject_from_draft(opened.olga, opened.casino)
    content = (PACK_FOLDER / f"{NSW}.toml").read_bytes().replace(TEN, TEN_BETTER, 1)
    draft = {"casino": opened.casino, "actor": opened.olga, "now": NOW}
    save_draft_pack(content=content, file_name="own.toml", **draft)  # type: ignore[arg-type]
    trial = opened.try_it(subject_from_draft(opened.olga, opened.casino))
    assert [row.compared_values()[1:] for row in trial.found.all()] == [("ten", "", "SETTLE-UNDERPAID", 7_000, 8_000)]
    save_draft_readings(readings=EVERY_EVEN, **draft)  # type: ignore[arg-type]
    with_reading = opened.try_it(subject_from_draft(opened.olga, opened.casino))
    assert [row.wager for row in with_reading.found.all()] == ["even", "ten"]
    assert opened.try_it(subject_from_version(opened.version)).differences == 0
    assert trial.what == f"Draft of {opened.version.title}"


def test_what_changes_nothing_is_refused(opened: TrialSetup) -> None:
    with pytest.raises(NothingToTry):
        subject_from_readings(opened.version, {"even": "as-printed"})
    with pytest.raises(NothingToTry):
        subject_from_readings(opened.version, {"even": "whatever"})


def test_only_an_officer_of_the_casino_begins_cancels_and_retries_and_only_so_many_wait(opened: TrialSetup) -> None:
    cast, subject = opened.house.crew.cast, opened.read_otherwise()
    for person in (cast.ines, cast.ada, cast.otto):
        asked: dict[str, Any] = {"casino": opened.casino, "subject": subject, "scope": TrialScope(), "now": NOW}
        assert isinstance(
            refusal_of(lambda who=person, asked=asked: request_trial(actor=who, **asked)),  # type: ignore[misc]
            NotAllowedToTry,
        )
    first, second, *_ = [opened.ask() for _ in range(MAX_WAITING)]
    assert isinstance(refusal_of(opened.ask), TooManyTrials)
    assert isinstance(refusal_of(lambda: cancel_trial(trial=first, actor=cast.ines, now=NOW)), NotAllowedToTry)
    assert isinstance(refusal_of(lambda: retry_trial(trial=second, actor=opened.olga)), TooManyTrials)
    cancel_trial(trial=first, actor=opened.olga, now=NOW)
    assert isinstance(refusal_of(lambda: cancel_trial(trial=first, actor=opened.olga, now=NOW)), JobEnded)
    assert isinstance(refusal_of(lambda: retry_trial(trial=second, actor=opened.olga)), JobNotEnded)
    assert isinstance(refusal_of(lambda: retry_trial(trial=first, actor=cast.ines)), NotAllowedToTry)
    retry_trial(trial=first, actor=opened.olga)
    assert isinstance(refusal_of(opened.ask), TooManyTrials), "one that is tried again waits like any other"


class Lost(Exception):
    """Raised in place of a worker that dies."""


@contextmanager
def at_statement(begins: str, act: Callable[[], None]) -> Iterator[None]:
    """Runs an action just before the first SQL statement with this prefix."""
    left = [act]

    def watch(execute: Any, sql: Any, *rest: Any) -> Any:
        if str(sql).startswith(begins) and left:
            left.pop()()
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield


def die() -> None:
    raise Lost


# The last statement of a range, which writes its differences; and one that it reads by.
MARKED, JUDGED = 'UPDATE "trials_stretch" SET "done_at"', 'SELECT "audit_voidedround"'


def test_a_trial_goes_on_after_its_worker_was_lost_and_counts_nothing_twice(long: TrialSetup) -> None:
    trial = long.ask()
    assert run_waiting_trials(lambda: NOW, lambda: trial.done == 1) is True
    assert (trial.done, trial.total) == (1, 2)
    with pytest.raises(Lost), at_statement(MARKED, die):
        run_waiting_trials(lambda: NOW)
    assert (trial.done, trial.total, trial.found.count()) == (1, 2, 5)
    trial.refresh_from_db()
    assert (trial.state, trial.attempts) == (JobState.RUNNING, 1), "counted anew for each range"
    assert run_waiting_trials(lambda: NOW) is False
    trial.refresh_from_db()
    assert (trial.state, trial.differences, trial.found.count()) == (JobState.DONE, 6, 6)
    assert run_waiting_trials(lambda: NOW) is False
    assert trial.found.count() == 6


def test_one_worker_at_a_time_tries_so_that_the_others_keep_up_with_the_floor(bench: TrialSetup) -> None:
    trial, other = bench.ask(), connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, 0)", [Lock.TRIAL])
        assert run_waiting_trials(lambda: NOW) is False
        assert Trial.objects.get(pk=trial.pk).state == JobState.WAITING
        cursor.execute("SELECT pg_advisory_unlock(%s, 0)", [Lock.TRIAL])
    other.close()
    run_waiting_trials(lambda: NOW)
    assert Trial.objects.get(pk=trial.pk).is_done


def test_a_stretch_that_never_ends_fails_the_trial_in_words(bench: TrialSetup) -> None:
    trial = bench.ask()
    for _ in range(3):
        with pytest.raises(Lost), at_statement(MARKED, die):
            run_waiting_trials(lambda: NOW)
    run_waiting_trials(lambda: NOW)
    trial.refresh_from_db()
    assert trial.state == JobState.FAILED
    assert "begun three times and never finished" in trial.failure
    assert not TrialRange.objects.exists()
    retry_trial(trial=trial, actor=bench.olga)
    run_waiting_trials(lambda: NOW)
    trial.refresh_from_db()
    assert (trial.state, trial.failure, trial.differences, trial.attempts) == (JobState.DONE, "", 5, 0)


def test_a_trial_that_is_cancelled_writes_nothing_any_more_and_keeps_nothing(long: TrialSetup) -> None:
    """Cancelled while its second range is evaluated; then put back, with more to try by then."""
    trial = long.ask()
    assert run_waiting_trials(lambda: NOW, lambda: trial.done == 1)
    assert trial.found.count() == 5

    def cancel() -> None:
        cancel_trial(trial=trial, actor=long.olga, now=NOW)

    with at_statement(JUDGED, cancel):
        assert run_waiting_trials(lambda: NOW) is False
    trial.refresh_from_db()
    assert (trial.state, trial.cancelled_by_name, trial.differences) == (JobState.CANCELLED, "Olga", None)
    assert not TrialDifference.objects.exists()
    assert not TrialRange.objects.exists()
    long.house.play((4, 2, 4), wager("even", 1_000, 0, id="last"), later=timedelta(days=11), gaming_day=LATER_DAY)
    long.house.audit()
    retry_trial(trial=trial, actor=long.olga)
    run_waiting_trials(lambda: NOW)
    trial.refresh_from_db()
    assert (trial.state, trial.cancelled_by_name, trial.differences) == (JobState.DONE, "", 7)


def test_a_trial_put_back_under_a_worker_s_hands_is_begun_anew(long: TrialSetup) -> None:
    """Cancelled and retried between two steps: the worker must not go on as if no range were left."""
    trial, left = long.ask(), [1]

    def put_back() -> bool:
        if left == [trial.done]:
            left.clear()
            cancel_trial(trial=trial, actor=long.olga, now=NOW)
            retry_trial(trial=trial, actor=long.olga)
        return False

    assert run_waiting_trials(lambda: NOW, put_back) is False
    trial.refresh_from_db()
    assert (trial.state, trial.differences, trial.found.count()) == (JobState.DONE, 6, 6)


def test_a_waiting_trial_that_is_cancelled_is_not_begun(bench: TrialSetup) -> None:
    trial, other = bench.ask(), bench.ask()
    cancel_trial(trial=trial, actor=bench.olga, now=NOW)
    assert begin_trial(trial=trial) is False
    run_waiting_trials(lambda: NOW)
    assert not TrialRange.objects.filter(trial=trial).exists()
    assert Trial.objects.get(pk=other.pk).is_done


@pytest.mark.usefixtures("transactional_db")
def test_nobody_can_cancel_a_trial_between_its_differences_and_the_mark_of_their_stretch() -> None:
    """The request to cancel waits for the transaction, so that its rows are there to be deleted."""
    trial, other, free = played_bench().ask(), connection.copy(), []

    def try_to_cancel() -> None:
        with other.cursor() as cursor:
            cursor.execute("SELECT id FROM trials_trial WHERE id = %s FOR NO KEY UPDATE SKIP LOCKED", [trial.pk])
            free.append(cursor.fetchall())

    with at_statement(MARKED, try_to_cancel):
        run_waiting_trials(lambda: NOW)
    other.close()
    assert free == [[]]


def refused(act: Any) -> bool:
    try:
        with transaction.atomic():
            act()
    except DatabaseError:
        return True
    return False


def test_the_database_keeps_what_was_asked_and_what_came_of_it(bench: TrialSetup) -> None:
    trial, other = bench.try_it(), bench.ask()
    of_done, of_waiting = Trial.objects.filter(pk=trial.pk), Trial.objects.filter(pk=other.pk)
    assert refused(lambda: of_done.update(differences=0))
    assert refused(lambda: of_waiting.update(rules="other"))
    assert refused(lambda: of_waiting.update(state=JobState.DONE))
    assert refused(lambda: of_waiting.delete())
    cancelled = cancel_trial(trial=bench.ask(), actor=bench.olga, now=NOW)
    of_cancelled = Trial.objects.filter(pk=cancelled.pk)
    totals = {"rounds": 0, "wagers": 0, "differences": 0, "more_cents": 0, "less_cents": 0, "cancelled_by_name": ""}
    assert refused(lambda: of_cancelled.update(state=JobState.DONE, **totals))
    assert refused(lambda: of_cancelled.update(cancelled_by_name="Somebody else"))
    for rows in (trial.found.all(), trial.sums.all()):
        assert refused(lambda rows=rows: rows.update(more_cents=0))
        assert refused(lambda rows=rows: rows.delete())
    row = trial.found.all()[0]
    row.pk = None
    assert refused(lambda: row.save(force_insert=True))
    row.trial = other
    assert refused(lambda: row.save(force_insert=True))
    assert TrialTotal.objects.filter(trial=trial).exists()
