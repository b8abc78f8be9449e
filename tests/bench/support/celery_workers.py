"""Real Celery workers, as `make run` starts them, and a reset of the audit to its beginning."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from celery import current_app

from compliance.audit.models import BLOCK_ENTRIES, Block
from compliance.audit.tasks import AUDIT_TASK
from compliance.config.environment import PROJECT
from compliance.config.run.child_processes import dies_with_parent
from compliance.core.web.jobs.wake import wake

AUDIT_SECONDS = 3_600
LOOK_EVERY = 0.01
LOOKS_OF_REST = 5
# Tables that an audit writes. Its ledger entries stay: they are never audited themselves.
WRITTEN = ("readingcase", "readingweight", "playedday", "coverage", "finding")
GUARDS = """
SELECT tgrelid::regclass::text, tgname FROM pg_trigger
WHERE tgrelid = ANY (%s::regclass[]) AND tgenabled = 'A' AND NOT tgisinternal
"""
BEGIN_AGAIN = """
UPDATE audit_block SET generation = 1, reopened_because = '',
    audited_to = CASE WHEN number < %s THEN number * %s ELSE known_to END
"""
# Enough for each process to load every rule pack before anything is measured.
WARM_BLOCKS = 3


class Workers:
    """A Celery worker with that many processes."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        command = [sys.executable, "-m", "celery", "--quiet", "--app", "compliance.config", "worker"]
        command += ["--concurrency", str(processes), "--without-gossip", "--without-mingle"]
        self.process = subprocess.Popen(
            command, cwd=PROJECT, start_new_session=True, preexec_fn=dies_with_parent(signal.SIGTERM)
        )

    def audit(self) -> None:
        """Until no block is waiting. Wakes each process once; a process wakes itself again if work is left."""
        for _ in range(self.processes):
            wake(AUDIT_TASK)
        until = time.monotonic() + AUDIT_SECONDS
        while Block.objects.waiting().exists():
            if self.process.poll() is not None or time.monotonic() > until:
                raise SystemExit("The workers did not audit the log.")
            time.sleep(LOOK_EVERY)

    def drain_queue(self) -> None:
        """Until no message is left: one delivered later would audit at once what a test resets."""
        looked = 0
        with current_app.connection_for_read() as broker:
            bells: Any = broker.default_channel
            # For a moment a message is in neither the queue nor the unacknowledged list, so several empty looks are
            # needed.
            while looked < LOOKS_OF_REST:
                waiting = bells.client.llen(current_app.conf.task_default_queue)
                # Messages are acknowledged late, so running tasks are here too.
                looked = 0 if waiting or bells.client.hlen(bells.unacked_key) else looked + 1
                time.sleep(LOOK_EVERY)

    def peak_megabytes(self) -> float:
        """Of the process with the highest peak."""
        return max(peak_megabytes(pid) for pid in self._pids())

    def _pids(self) -> list[str]:
        return Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def peak_megabytes(pid: str) -> float:
    """A process's peak memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


@contextmanager
def workers(processes: int, admin: psycopg.Connection) -> Iterator[Workers]:
    """Started and warmed up with every rule pack loaded."""
    started = Workers(processes)
    try:
        reset_audit(admin, WARM_BLOCKS * processes)
        started.audit()
        started.drain_queue()
        yield started
    finally:
        started.stop()


def reset_audit(admin: psycopg.Connection, blocks: int = 2**31 - 1) -> None:
    """Resets the first `blocks` blocks to unaudited and marks the others as audited."""
    tables = [f"audit_{name}" for name in WRITTEN]
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = replica")
        guards = admin.execute(GUARDS, [tables]).fetchall()
        for table, guard in guards:
            admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER {guard}")
        for table in tables:
            admin.execute(f"DELETE FROM {table}")
        for table, guard in guards:
            admin.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {guard}")
        admin.execute(BEGIN_AGAIN, [blocks, BLOCK_ENTRIES])
    admin.execute(f"VACUUM ANALYZE {', '.join(tables)}, audit_block")
