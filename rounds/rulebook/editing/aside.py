"""Examining a text in a process of its own: one for each web process, begun when first asked, ended when it is slow.

A pack is a small program: somebody can write one that takes for ever or fills the memory. Here it keeps no page of
anybody else waiting, and has neither the database nor a secret at hand.
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

from rounds.rulebook.editing.examining import Examined, Question
from rounds.rulepacks import PACK_FOLDER

logger = structlog.get_logger(__name__)

LONGEST_SECONDS = 8.0
# What it remembers of earlier texts is let go of now and then.
MOST_QUESTIONS = 300
LENGTH = struct.Struct(">I")
PROJECT = PACK_FOLDER.parent.parent


class NotExamined(Exception):
    """`words` tell the person why, and that what they typed is not lost by it."""

    words = "The text could not be checked just now. Press Check to try again."


class TookTooLong(NotExamined):
    words = (
        "Working this text out takes too long, so it was stopped. Fewer readings, or fewer choices of them, would help."
    )


class AnotherIsChecked(NotExamined):
    words = "Other texts are being checked just now. Press Check in a few seconds."


class Aside:
    """One process that examines one text at a time."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._asked = 0

    def examine(self, question: Question, seconds: float = LONGEST_SECONDS) -> Examined:
        if not self._turn.acquire(timeout=seconds):
            raise AnotherIsChecked
        try:
            return self._ask(pickle.dumps(question), monotonic() + seconds)
        except (OSError, EOFError) as error:
            self.end()
            logger.warning("pack_not_examined", error=str(error))
            raise NotExamined from error
        except TookTooLong:
            self.end()
            raise
        finally:
            self._turn.release()

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, message: bytes, until: float) -> Examined:
        if self._process is None or self._process.poll() is not None or self._asked >= MOST_QUESTIONS:
            self.end()
            self._process, self._asked = _begin(), 0
        self._asked += 1
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(LENGTH.pack(len(message)) + message)
        self._process.stdin.flush()
        [length] = LENGTH.unpack(_read(self._process.stdout, LENGTH.size, until))
        answer = pickle.loads(_read(self._process.stdout, length, until))  # noqa: S301 - from our own process
        if not isinstance(answer, Examined):
            logger.error("pack_not_examined", error=answer)
            raise NotExamined
        return answer


def _begin() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "rounds.rulebook.editing"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=PROJECT,
        env={},
        bufsize=0,
    )


def _read(stream: IO[bytes], size: int, until: float) -> bytes:
    parts, left = [], size
    while left:
        if not select.select([stream], [], [], max(0.0, until - monotonic()))[0]:
            raise TookTooLong
        part = stream.read(left)
        if not part:
            raise EOFError("the process ended")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


aside = Aside()
atexit.register(aside.end)
