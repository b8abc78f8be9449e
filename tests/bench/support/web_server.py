"""A web server as `make run` starts it, for ours and for a peer, and clients with persistent connections."""

import http.client
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from compliance.config.environment import PROJECT, read
from compliance.config.run.child_processes import dies_with_parent
from compliance.config.run.embedded_servers import free_port
from compliance.config.run.launcher import PROCFILE

OURS = "compliance.config.wsgi:application"
PLAIN = "tests.bench.plain.site:application"
UP_WITHIN_SECONDS = 300
STOPPED_WITHIN_SECONDS = 120


@dataclass(frozen=True)
class PreparedRequest:
    """A request prepared beforehand, since that is not measured."""

    path: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def web_server(application: str = OURS, threads: int = 0) -> Iterator[int]:
    """Runs the Procfile's command, with `application` in place of ours; yields the port.

    `threads` sets WEB_THREADS, if load shedding would refuse some of the callers with the default."""
    port, name = free_port(), application.partition(":")[0]
    folder = Path(read("DATA_DIR")) / "run" / name
    folder.mkdir(parents=True, exist_ok=True)
    [line] = [line for line in PROCFILE.read_text().splitlines() if line.startswith("web:")]
    command = line.removeprefix("web:").replace(OURS, application).replace("$DATA_DIR/run", str(folder))
    environment = {
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "WEB_WORKERS": read("WEB_WORKERS"),
        "WEB_THREADS": str(threads or read("WEB_THREADS")),
        # A benchmark sends more in ten seconds than any table does.
        "CONTROLLER_BATCH_LIMIT": "1000000",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    server = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=PROJECT,
        env={**os.environ, **environment},
        preexec_fn=dies_with_parent(signal.SIGTERM),
    )
    try:
        _wait_for(port, server, shlex.split(command)[1])
        yield port
    finally:
        server.terminate()
        server.wait(STOPPED_WITHIN_SECONDS)


def _wait_for(port: int, server: "subprocess.Popen[bytes]", program: str) -> None:
    until = time.monotonic() + UP_WITHIN_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as caller:
                caller.request("GET", "/healthz")
                caller.getresponse().read()
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"{program} did not answer on port {port}.")


def post_all(port: int, requests: Iterable[PreparedRequest]) -> list[float]:
    """Sequentially on one connection; returns the seconds of each. Any refusal is an error."""
    taken = []
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as caller:
        caller.connect()
        for request in requests:
            begun = time.perf_counter()
            caller.request("POST", request.path, request.body, dict(request.headers))
            answer = caller.getresponse()
            said = answer.read()
            taken.append(time.perf_counter() - begun)
            if answer.status not in (200, 201):
                raise RuntimeError(f"{request.path} answered {answer.status}: {said[:300]!r}")
    return taken


def run_concurrently(acts: Sequence[Callable[[], list[float]]]) -> list[float]:
    """Starts all at the same moment; returns all their measurements."""
    together, ready = threading.Barrier(len(acts)), threading.Lock()
    taken: list[float] = []
    failures: list[BaseException] = []

    def act_on_signal(act: Callable[[], list[float]]) -> None:
        together.wait()
        try:
            found = act()
        except Exception as error:
            failures.append(error)
            return
        with ready:
            taken.extend(found)

    threads = [threading.Thread(target=act_on_signal, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return taken


def percentile(taken: Sequence[float], percent: int) -> float:
    """The smallest value that is not exceeded by that many percent of all."""
    return sorted(taken)[-(-len(taken) * percent // 100) - 1]
