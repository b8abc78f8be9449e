"""Workers run the waiting jobs of a table under an advisory lock.

The rows are the queue, so a lost or repeated Celery message does no harm. The lock ends with its worker's connection:
the job of a killed worker is taken up again.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.utils import timezone
from psycopg import sql

from compliance.core.web.jobs.job import Job, JobCancelled
from compliance.core.web.jobs.locks import Lock, advisory_lock
from compliance.core.web.jobs.wake import wake
from compliance.core.web.local_time import Clock

PROGRESS_INTERVAL = timedelta(seconds=1)
# A task that works in steps runs this long and wakes itself for the rest, because the consumers of the log share the
# queue.
STEP_SECONDS = 10

Row = TypeVar("Row", bound=Model)
TimeCheck = Callable[[], bool]
ShowProgress = Callable[[int, int], None]


def run_each(waiting: QuerySet[Row], lock: Lock, run: Callable[[Row], None]) -> int:
    """Runs every waiting job that no other worker has locked, each under its own lock; returns how many it ran."""
    return sum(_run_if_unlocked(waiting, pk, lock, run) for pk in list(waiting.values_list("pk", flat=True)))


def _run_if_unlocked(waiting: QuerySet[Row], pk: int, lock: Lock, run: Callable[[Row], None]) -> bool:
    with advisory_lock(lock, pk) as is_ours:
        # Read again: another worker may have finished it before this one got the lock.
        job = waiting.filter(pk=pk).first() if is_ours else None
        if job is not None:
            with suppress(JobCancelled):
                run(job)
        return job is not None


def run_in_steps(
    waiting: QuerySet[Row], lock: Lock, begin: Callable[[Row], Callable[[], bool]], is_time_up: TimeCheck
) -> bool:
    """Runs one job after the other, step by step, in one worker at a time; returns whether work is left.
    `begin` returns the function that does one step and says whether another may follow."""
    with advisory_lock(lock) as is_ours:
        if is_ours:
            for job in iter(waiting.first, None):
                with suppress(JobCancelled):
                    step = begin(job)
                    while step():
                        if is_time_up():
                            return True
    return False


def run_for_a_while(task_name: str, run: Callable[[Clock, TimeCheck], bool]) -> None:
    """Body of a task that works in steps."""
    deadline = monotonic() + STEP_SECONDS
    if run(timezone.now, lambda: monotonic() > deadline):
        wake(task_name)


def job_progress(job: Job, clock: Clock) -> AbstractContextManager[ShowProgress]:
    """Saves the progress in `job.done`. Showing it raises JobCancelled if the job was cancelled meanwhile."""
    update = sql.SQL("UPDATE {} SET done = %s WHERE id = %s AND state = 'running'")
    statement = update.format(sql.Identifier(job._meta.db_table))
    return progress_writer(clock, statement, lambda done, total, now: [done, job.pk])


@contextmanager
def progress_writer(
    clock: Clock, statement: Any, values: Callable[[int, int, datetime], Sequence[Any]]
) -> Iterator[ShowProgress]:
    """Saves progress at most once a second, over a separate connection, because changes in the worker's own transaction
    are not visible before commit. `values` makes the parameters of the SQL statement."""
    saved_at: datetime | None = None
    side = connections.create_connection(DEFAULT_DB_ALIAS)

    def save(done: int, total: int) -> None:
        nonlocal saved_at
        now = clock()
        if saved_at is None or now - saved_at >= PROGRESS_INTERVAL:
            saved_at = now
            with side.cursor() as cursor:
                cursor.execute(statement, values(done, total, now))
                if cursor.rowcount == 0:
                    raise JobCancelled

    try:
        yield save
    finally:
        side.close()
