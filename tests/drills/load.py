"""The load drill: 100 controllers and 40 people with the audit running; then three times the capacity; then recovery.

Loopback only, limited in time and number. Everything acknowledged is checked against the ledger.
"""

import json
import random
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rounds.simulator.client.batch_signature import Signer
from rounds.simulator.client.spool import encode_line
from rounds.simulator.delivery.controller_keys import read_private_key
from tests.drills.crash import write_plans
from tests.drills.support.controller_plans import Plan
from tests.drills.support.load_clients import Visitor, read_crowd
from tests.drills.support.supervised_service import Service, prepare_world, running_service
from tests.drills.support.verdict import Verdict

CONTROLLERS, PEOPLE = 100, 40
# A table plays a round about every forty seconds, a person opens a page about every ten.
ROUND_EVERY_SECONDS, PAGE_EVERY_SECONDS = 40.0, 10.0
STEADY_PART, MEASURED_PART, OVERLOADED_PART = 0.625, 0.06, 0.12
# More than three times is attempted, so that three times is reached although callers wait for answers.
TRIED_TIMES_TOO_MUCH, LEAST_TIMES_TOO_MUCH = 3.6, 3.0
# A shed batch is sent again with the same signature for this long.
SIGNED_FOR_SECONDS = 20.0
MOST_LAG_SECONDS = 60.0
CALM_WITHIN_SECONDS = 60.0
SHED = (429, 503)

# Blocks that are audited again because a later fact affects them do not count as waiting.
LAG = """
SELECT coalesce(max(extract(epoch FROM now() - waits.recorded_at)), 0) FROM ledger_log log
CROSS JOIN LATERAL (
    SELECT entry.recorded_at FROM ledger_entry entry
    WHERE entry.log_id = log.id AND entry.controller IS NOT NULL
    AND entry.index >= coalesce((SELECT max(last) FROM audit_coverage covered WHERE covered.log = log.slug), 0)
    ORDER BY entry.index LIMIT 1
) waits
"""
THERE = """
SELECT log.slug, entry.controller, entry."table", entry.sequence FROM ledger_entry entry
JOIN ledger_log log ON log.id = entry.log_id WHERE entry.controller IS NOT NULL
"""


@dataclass
class Tally:
    """Latency and status of each answer. Thread-safe."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    without_retry_after: int = 0
    # The last error where no answer came.
    trouble: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, status: int, seconds: float, retry_after: str | None) -> None:
        with self.lock:
            self.statuses[status] += 1
            if status == 200:
                self.seconds.append(seconds)
            self.without_retry_after += status in SHED and not retry_after

    @property
    def shed(self) -> int:
        return sum(self.statuses[status] for status in SHED)

    @property
    def failed(self) -> int:
        """Status 0 means no answer."""
        return self.statuses.total() - self.statuses[200] - self.shed

    def quantile(self, part: float) -> float:
        """Of the served requests, in milliseconds."""
        ordered = sorted(self.seconds)
        return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))]) if ordered else 0.0


def request_of(method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
    said = {"Host": "127.0.0.1", "Connection": "close", "Content-Length": str(len(body)), **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def read_head(answer: bytes) -> tuple[int, str | None]:
    """Status and Retry-After. 0 for an answer that ended within its head."""
    head, end, _ = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return (int(first.split(" ")[1]) if end else 0), fields.get("retry-after")


class Caller:
    """Opens a new connection for each request, as the reference client does.

    Uses the socket directly: it shares processors with the service and must cost little."""

    def __init__(self, port: int, tally: Tally) -> None:
        self.port, self.tally = port, tally

    def ask(self, request: bytes) -> int:
        began, status, retry_after, answer = time.monotonic(), 0, None, b""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
                connection.sendall(request)
                while part := connection.recv(1 << 16):
                    answer += part
            status, retry_after = read_head(answer)
            if status not in (200, *SHED):
                self.tally.trouble = answer[-1000:].decode(errors="replace")
        except OSError as error:
            self.tally.trouble = f"{type(error).__name__}: {error}"
        self.tally.note(status, time.monotonic() - began, retry_after)
        return status


class Controller:
    """Sends round after round; a refused one is sent again, as the reference client does."""

    def __init__(self, plan: Plan, folder: Path, port: int) -> None:
        self.plan, self.port = plan, port
        self.signer = Signer(read_private_key(Path(plan.key_file)))
        lines = (json.loads(line) for line in plan.path(folder).read_bytes().splitlines())
        self.bodies = [line["body"] for line in lines if line["kind"] == "round"]
        self.acknowledged = 0
        self.request, self.signed_at = b"", 0.0

    def send(self, caller: Caller) -> None:
        if not self.request or time.monotonic() > self.signed_at + SIGNED_FOR_SECONDS:
            self.request, self.signed_at = self._sign(self.acknowledged), time.monotonic()
        if caller.ask(self.request) == 200:
            self.acknowledged, self.request = self.acknowledged + 1, b""

    def _sign(self, sequence: int) -> bytes:
        body = {**self.bodies[sequence % len(self.bodies)], "round": f"{self.plan.controller}-{sequence}"}
        now = datetime.now(UTC)
        line = encode_line("round", self.plan.table, sequence + 1, now, body)
        return request_of("POST", "/api/v1/entries", self.signer.headers([line], now), line + b"\n")


def open_pages(visitor: Visitor) -> Callable[[Caller], None]:
    paths = list(visitor.paths)
    random.shuffle(paths)

    def open_next(caller: Caller) -> None:
        paths.append(paths.pop(0))
        caller.ask(request_of("GET", paths[-1], {"Cookie": f"sessionid={visitor.cookie}"}))

    return open_next


def keep_busy(
    acts: Iterable[Callable[[Caller], None]], port: int, tally: Tally, *, every: float, seconds: float
) -> list[threading.Thread]:
    """Repeats each act about every so many seconds, in its own thread."""
    ends_at = time.monotonic() + seconds

    def go_on(act: Callable[[Caller], None]) -> None:
        caller = Caller(port, tally)
        due = time.monotonic() + every * random.random()
        # After a slow answer it catches up without pauses.
        while (now := time.monotonic()) < ends_at:
            if due > now:
                time.sleep(min(due, ends_at) - now)
                continue
            act(caller)
            due += every * random.uniform(0.5, 1.5)

    threads = [threading.Thread(target=go_on, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    return threads


def longest_lag(service: Service, threads: Sequence[threading.Thread]) -> float:
    """While these threads run: the longest time that the oldest unaudited round has waited."""
    worst = 0.0
    with service.connect() as database:
        while any(thread.is_alive() for thread in threads):
            [lag] = database.execute(LAG).fetchone() or [0]
            worst = max(worst, float(str(lag)))
            time.sleep(2)
    return round(worst, 1)


def drill(seed: int, minutes: float) -> Verdict:
    random.seed(seed)
    folder = Path(tempfile.mkdtemp(prefix="fairthrow-load-"))
    try:
        prepare_world(folder)
        write_plans(folder, 40, seed)
        prepare_service(folder, CONTROLLERS, PEOPLE)
        with running_service(folder) as service:
            return run_load(service, seed, 60 * minutes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def prepare_service(folder: Path, controllers: int, people: int) -> None:
    service = Service(folder)
    try:
        service.start_servers()
        words = ["-m", "tests.drills.support.load_clients", str(folder / "plans"), str(controllers), str(people)]
        done = service.run([sys.executable, *words])
        if done.returncode:
            raise RuntimeError(done.stderr)
    finally:
        service.stop()


def run_load(service: Service, seed: int, seconds: float) -> Verdict:
    crowd = read_crowd(service.folder / "plans")
    controllers = [Controller(plan, service.folder / "plans", service.port) for plan in crowd.controllers]
    sends, opens = [one.send for one in controllers], [open_pages(one) for one in crowd.people]
    intake, pages, most, too_much, after = (Tally() for _ in range(5))

    busy = keep_busy(sends, service.port, intake, every=ROUND_EVERY_SECONDS, seconds=STEADY_PART * seconds)
    busy += keep_busy(opens, service.port, pages, every=PAGE_EVERY_SECONDS, seconds=STEADY_PART * seconds)
    lag = longest_lag(service, busy)
    # The capacity: as many callers as are served at once, each without pauses.
    lasts = MEASURED_PART * seconds
    lag_at_most = longest_lag(service, keep_busy(sends[:8], service.port, most, every=0, seconds=lasts))
    can_take = most.statuses[200] / lasts
    lasts = OVERLOADED_PART * seconds
    every = len(sends) / (TRIED_TIMES_TOO_MUCH * can_take) if can_take else 1.0
    longest_lag(service, keep_busy(sends, service.port, too_much, every=every, seconds=lasts))
    sent = too_much.statuses.total() / lasts
    recovered = seconds_to_recover(service, sends, after)

    figures: dict[str, int | float | str] = {"controllers": len(sends), "people": len(opens)}
    figures |= {"batches taken": intake.statuses[200], "pages read": pages.statuses[200]}
    figures |= {"errors": intake.statuses.total() - intake.statuses[200] + pages.statuses.total() - pages.statuses[200]}
    figures |= {"intake p50 ms": intake.quantile(0.5), "intake p99 ms": intake.quantile(0.99)}
    figures |= {"pages p50 ms": pages.quantile(0.5), "pages p99 ms": pages.quantile(0.99)}
    figures |= {"audit lag s, at most": lag, "batches a second it can take": round(can_take, 1)}
    figures |= {
        "audit lag s, then": lag_at_most,
        "overload: batches a second": round(sent, 1),
        "overload: times what it can take": round(sent / can_take, 2) if can_take else 0.0,
    }
    figures |= {"overload: taken": too_much.statuses[200], "overload: shed (429, 503)": too_much.shed}
    figures |= {"overload: failed": too_much.failed, "overload: p99 ms of those taken": too_much.quantile(0.99)}
    figures |= {"calm again after s": recovered}
    failures = [
        *wrong_while_steady(intake, pages, lag),
        *wrong_when_too_much(too_much, recovered, times=sent / can_take if can_take else 0.0),
        *lost_rounds(service, controllers),
    ]
    return Verdict("load", seed, figures, failures)


def seconds_to_recover(service: Service, sends: Sequence[Callable[[Caller], None]], tally: Tally) -> float:
    """Without load: seconds until ten batches in a row are accepted within a second each; -1 for never."""
    began, caller, good = time.monotonic(), Caller(service.port, tally), 0
    while time.monotonic() < began + CALM_WITHIN_SECONDS:
        asked_at, before = time.monotonic(), tally.statuses[200]
        sends[good % len(sends)](caller)
        is_good = tally.statuses[200] > before and time.monotonic() < asked_at + 1
        good = good + 1 if is_good else 0
        if good == 10:
            return round(time.monotonic() - began, 1)
    return -1.0


def wrong_while_steady(intake: Tally, pages: Tally, lag: float) -> list[str]:
    wrong = []
    for what, tally in (("batches", intake), ("pages", pages)):
        if set(tally.statuses) != {200}:
            wrong.append(f"Not all {what} were answered with 200: {dict(tally.statuses)} {tally.trouble}")
    if lag > MOST_LAG_SECONDS:
        wrong.append(f"A round waited {lag} s for its audit.")
    return wrong


def wrong_when_too_much(tally: Tally, recovered: float, times: float) -> list[str]:
    """`times`: how many times its capacity was sent."""
    wrong = []
    if times < LEAST_TIMES_TOO_MUCH:
        wrong.append(f"Only {times:.1f} times as much was sent as it can take.")
    if not tally.shed:
        wrong.append("Nothing was shed: it was not too much, or everybody had to wait.")
    if tally.failed:
        wrong.append(
            f"{tally.failed} batches got another answer than taken, 429 or 503: {dict(tally.statuses)} {tally.trouble}"
        )
    if tally.without_retry_after:
        wrong.append(f"{tally.without_retry_after} were sent away and not told when to come back.")
    if recovered < 0:
        wrong.append(f"It did not recover by itself within {CALM_WITHIN_SECONDS:.0f} s.")
    return wrong


def lost_rounds(service: Service, controllers: Sequence[Controller]) -> list[str]:
    with service.connect() as database:
        there = Counter(database.execute(THERE).fetchall())
    wrong = [
        f"{one.plan.controller} {number}"
        for one in controllers
        for number in range(1, one.acknowledged + 1)
        if there[one.plan.casino, one.plan.controller, one.plan.table, number] != 1
    ]
    return [f"{len(wrong)} acknowledged rounds are not there once, such as {wrong[0]}."] if wrong else []
