"""The crash drill: kills every process repeatedly while rounds arrive. No acknowledged round may be lost or doubled.

The same rounds are sent to an undisturbed service: both must have the same findings.
"""

import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import redis

from tests.compliance.core.web.mail.mail_server import Mailbox, mail_server
from tests.drills.support.controller_plans import read_plans
from tests.drills.support.controllers import FAULTS_OF_OURS, TROUBLES
from tests.drills.support.full_length import run_full_length
from tests.drills.support.outcome_checks import ServiceOutcome, check_service, compare_outcomes, is_settled
from tests.drills.support.supervised_service import (
    Service,
    copy_world,
    prepare_world,
    running_service,
    signal_all,
    small_volume,
)
from tests.drills.support.verdict import Verdict

# Each statement of an append, of the audit and of a checkpoint fails in turn.
STATEMENTS, STATEMENT_MINUTES = ("tests/drills/test_failing_statements.py",), 5.0
FAULTS_A_MINUTE = 7
# Share of the time for the disturbed run; the rest is for setup, the undisturbed run and the checks.
DISTURBED_PART = 0.72
ROUNDS_A_MINUTE = 6
LONGEST_PAUSE_SECONDS = 60.0
VOLUME_MEGABYTES = 400
# On a shared machine catching up can take longer than the drill itself.
SETTLES_WITHIN_SECONDS = 1800
# A single look may fall between two runs of the consumers; only several in a row show that all is done.
CALM_LOOKS, LOOKS_EVERY_SECONDS = 4, 3.0


@dataclass
class Disturbance:
    """The faults, and how they are applied to a running service; `done` counts those that hit something."""

    service: Service
    dice: random.Random
    pause_seconds: float
    done: Counter[str] = field(default_factory=Counter)
    lasting: list[threading.Thread] = field(default_factory=list)

    def kinds(self) -> dict[str, Callable[[], bool]]:
        return {
            "web killed": lambda: self.kill("web"),
            "web worker killed": lambda: self.kill_one_of("web"),
            "Celery worker killed": lambda: self.kill("worker"),
            "Celery child killed": lambda: self.kill_one_of("worker"),
            "beat killed": lambda: self.kill("beat"),
            "Valkey killed": lambda: self.kill("valkey"),
            "Valkey flushed": self.flush,
            "PostgreSQL killed": lambda: self.kill("postgres"),
            "PostgreSQL paused": self.pause,
            "disk full": self.fill_disk,
            "clients killed": lambda: self.kill("clients"),
        }

    def kill(self, name: str) -> bool:
        """Kills all processes of that name, so that none can clean up."""
        pids = self.service.supervisors[name].pids()
        signal_all(pids, signal.SIGKILL)
        return bool(pids)

    def kill_one_of(self, name: str) -> bool:
        """Kills a child process, which its parent must replace."""
        children = self.service.supervisors[name].pids()[1:]
        if children:
            signal_all([self.dice.choice(children)], signal.SIGKILL)
        return bool(children)

    def flush(self) -> bool:
        with suppress(redis.RedisError), redis.Redis.from_url(self.service.valkey.url()) as memory:
            return bool(memory.flushall())
        return False

    def pause(self) -> bool:
        pids = self.service.supervisors["postgres"].pids()
        seconds, self.pause_seconds = self.pause_seconds, self.dice.uniform(2, 8)
        signal_all(pids, signal.SIGSTOP)
        self._run_later(seconds, lambda: signal_all(pids, signal.SIGCONT))
        return bool(pids)

    def fill_disk(self) -> bool:
        """Fills PostgreSQL's volume and frees it after some seconds."""
        filler = self.service.postgres.folder / "filler"
        if filler.exists():
            return False
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(bytes(2**20)):
                pass
        with suppress(OSError), filler.open("ab", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        self._run_later(self.dice.uniform(2, 6), lambda: filler.unlink(missing_ok=True))
        return True

    def _run_later(self, seconds: float, act: Callable[[], None]) -> None:
        def wait_and_act() -> None:
            time.sleep(seconds)
            act()

        self.lasting.append(threading.Thread(target=wait_and_act))
        self.lasting[-1].start()

    def run_faults(self, faults: int, seconds: float, *, has_small_volume: bool) -> None:
        """Spreads that many faults over the time with some randomness, every kind equally often."""
        kinds, ends_at = self.kinds(), time.monotonic() + seconds
        if not has_small_volume:
            # Never fill the machine's own disk.
            del kinds["disk full"]
        waiting: list[str] = []
        for number in range(faults):
            if not waiting:
                waiting = self.dice.sample(sorted(kinds), len(kinds))
            gap = (ends_at - time.monotonic()) / (faults - number)
            time.sleep(max(0.0, gap * self.dice.uniform(0.4, 1.6)))
            self.inject_fault(waiting.pop())
        for thread in self.lasting:
            thread.join()

    def inject_fault(self, kind: str) -> None:
        """Waits for a process that is restarting: a fault counts only if it hit something."""
        for _ in range(300):
            if self.kinds()[kind]():
                self.done[kind] += 1
                return
            time.sleep(0.2)


def drill(seed: int, minutes: float) -> Verdict:
    folder = Path(tempfile.mkdtemp(prefix="fairthrow-crash-"))
    try:
        verdict = _drill(folder, seed, minutes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    single = run_full_length("crash", STATEMENTS, seed=seed, minutes=STATEMENT_MINUTES)
    return replace(verdict, figures={**verdict.figures, **single.figures}, failures=verdict.failures + single.failures)


def _drill(folder: Path, seed: int, minutes: float) -> Verdict:
    world, disturbed, quiet = (folder / name for name in ("world", "disturbed", "quiet"))
    world.mkdir()
    prepare_world(world)
    write_plans(world, max(12, round(ROUNDS_A_MINUTE * minutes)), seed)
    with small_volume(disturbed / "postgres", VOLUME_MEGABYTES) as is_small, mail_server() as letters:
        copy_world(world, disturbed)
        done, starts, troubled = disturb(disturbed, letters, seed, minutes, is_small)
    with mail_server() as others:
        copy_world(world, quiet)
        undisturbed = play_quietly(quiet, others)
    wanted = round(FAULTS_A_MINUTE * minutes)
    failures = troubled.failures + compare_outcomes(troubled, undisturbed)
    if sum(done.values()) < wanted:
        failures.append(f"Only {sum(done.values())} of {wanted} faults could be done in the time.")
    figures: dict[str, int | float | str] = {"faults": sum(done.values()), **dict(sorted(done.items()))}
    if not is_small:
        failures.append("A full disk was not tried: no volume can be mounted here. Run the drill as root.")
    figures |= troubled.figures | {f"{name} started": count for name, count in sorted(starts.items())}
    return Verdict("crash", seed, figures, failures)


def write_plans(world: Path, rounds: int, seed: int) -> None:
    """Once, with a running database; both services are then fed from the same files."""
    service = Service(world)
    try:
        service.start_servers()
        done = service.run(
            [
                sys.executable,
                "-m",
                "tests.drills.support.controller_plans",
                str(world / "plans"),
                str(rounds),
                str(seed),
            ]
        )
        if done.returncode:
            raise RuntimeError(done.stderr)
    finally:
        service.stop()


def start_clients(service: Service, until: float) -> None:
    """`until`, in seconds of the clock, is when their lines end; 0 sends all at once."""
    plans = service.folder / "plans"
    command = [sys.executable, "-m", "tests.drills.support.controllers", str(plans), service.address, str(until)]
    service.supervise("clients", lambda: service.popen(command))


def disturb(
    folder: Path, letters: Mailbox, seed: int, minutes: float, is_small: bool
) -> tuple[Counter[str], Counter[str], ServiceOutcome]:
    with running_service(folder, EMAIL_URL=f"smtp://127.0.0.1:{letters.port}") as service:
        seconds = 60 * minutes * DISTURBED_PART
        start_clients(service, time.time() + seconds)
        disturbance = Disturbance(service, random.Random(seed), min(LONGEST_PAUSE_SECONDS, 2 * minutes))
        disturbance.run_faults(round(FAULTS_A_MINUTE * minutes), seconds, has_small_volume=is_small)
        starts = service.starts()
        return disturbance.done, starts, finish_and_check(service, letters)


def play_quietly(folder: Path, letters: Mailbox) -> ServiceOutcome:
    with running_service(folder, EMAIL_URL=f"smtp://127.0.0.1:{letters.port}") as service:
        start_clients(service, 0)
        return finish_and_check(service, letters)


def is_calm(service: Service, looks: deque[bool]) -> bool:
    looks.append(is_settled(service))
    return len(looks) == CALM_LOOKS and all(looks)


def finish_and_check(service: Service, letters: Mailbox) -> ServiceOutcome:
    """No more faults: the clients finish, the consumers catch up, and then everything is checked."""
    clients = service.supervisors["clients"]
    plans = read_plans(service.folder / "plans")
    try:
        service.wait_for("the clients' last line", lambda: clients.is_done, SETTLES_WITHIN_SECONDS)
        looks: deque[bool] = deque(maxlen=CALM_LOOKS)
        rest = partial(is_calm, service, looks)
        service.wait_for("the audit and the alerts", rest, SETTLES_WITHIN_SECONDS, every=LOOKS_EVERY_SECONDS)
        unsettled = []
    except TimeoutError as error:
        unsettled = [f"It does not come to rest. {error}."]
    kept = check_service(service, plans, letters)
    for name, what in ((TROUBLES, "A client gave up"), (FAULTS_OF_OURS, "Answered as a fault of the service's")):
        noted = service.folder / "plans" / name
        lines = noted.read_text().splitlines() if noted.exists() else []
        unsettled += [f"{what}, {len(lines)} times: {lines[0]}"] if lines else []
    kept.failures.extend(unsettled)
    return kept
