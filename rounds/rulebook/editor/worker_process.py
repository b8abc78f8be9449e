"""Runs the analysis of a pack text in a worker process: one per web process, started on demand, killed on timeout.

A hostile pack can take unbounded time and memory. The worker isolates it: no database access and an empty environment.
"""

from __future__ import annotations

import atexit
import pickle
import select
import struct
import subprocess
import sys
import threading
from time import monotonic
from typing import IO

import structlog

from rounds.rulebook.editor.analysis import AnalysisRequest, PackAnalysis
from rounds.rulebook.size_limits import ANALYSIS_TIMEOUT_SECONDS
from rounds.rulepacks import PACK_FOLDER

logger = structlog.get_logger(__name__)

# The worker is restarted after this many requests to free the memory of its caches.
MAX_REQUESTS_PER_PROCESS = 300
LENGTH_PREFIX = struct.Struct(">I")
PROJECT_FOLDER = PACK_FOLDER.parent.parent


class AnalysisFailed(Exception):
    """The analysis did not complete. `message` is shown to the person; the text itself is saved regardless."""

    message = "The text could not be checked just now. Press Check to try again."


class AnalysisTimedOut(AnalysisFailed):
    message = (
        "Working this text out takes too long, so it was stopped. Fewer readings, or fewer choices of them, would help."
    )


class AnalysisBusy(AnalysisFailed):
    message = "Other texts are being checked just now. Press Check in a few seconds."


class AnalysisProcess:
    """Client of the worker process. A lock serialises requests; AnalysisBusy if it is not free in time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._request_count = 0

    def analyse(self, analysis_request: AnalysisRequest, seconds: float = ANALYSIS_TIMEOUT_SECONDS) -> PackAnalysis:
        if not self._lock.acquire(timeout=seconds):
            raise AnalysisBusy
        try:
            return self._exchange(pickle.dumps(analysis_request), monotonic() + seconds)
        except (OSError, EOFError) as error:
            self.stop()
            logger.warning("pack_not_examined", error=str(error))
            raise AnalysisFailed from error
        except AnalysisTimedOut:
            self.stop()
            raise
        finally:
            self._lock.release()

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _exchange(self, message: bytes, deadline: float) -> PackAnalysis:
        if self._process is None or self._process.poll() is not None or self._request_count >= MAX_REQUESTS_PER_PROCESS:
            self.stop()
            self._process, self._request_count = _start_process(), 0
        self._request_count += 1
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(LENGTH_PREFIX.pack(len(message)) + message)
        self._process.stdin.flush()
        [length] = LENGTH_PREFIX.unpack(_read_bytes(self._process.stdout, LENGTH_PREFIX.size, deadline))
        answer = pickle.loads(_read_bytes(self._process.stdout, length, deadline))  # noqa: S301 - from our own process
        if not isinstance(answer, PackAnalysis):
            logger.error("pack_not_examined", error=answer)
            raise AnalysisFailed
        return answer


def _start_process() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "rounds.rulebook.editor"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=PROJECT_FOLDER,
        env={},
        bufsize=0,
    )


def _read_bytes(stream: IO[bytes], size: int, deadline: float) -> bytes:
    parts, left = [], size
    while left:
        if not select.select([stream], [], [], max(0.0, deadline - monotonic()))[0]:
            raise AnalysisTimedOut
        part = stream.read(left)
        if not part:
            raise EOFError("the process ended")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


analysis_process = AnalysisProcess()
atexit.register(analysis_process.stop)
