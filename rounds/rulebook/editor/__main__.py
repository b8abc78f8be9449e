"""The process aside: reads a question, examines it, writes the answer, until nobody asks any more."""

from __future__ import annotations

import pickle
import resource
import signal
import sys
import traceback

from rounds.rulebook.editor.analysis import analyse_pack
from rounds.rulebook.editor.worker_process import LENGTH_PREFIX
from rounds.rulebook.size_limits import LONGEST_SECONDS

MOST_MEMORY_BYTES = 1024**3


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    while length := asked.read(LENGTH_PREFIX.size):
        question = pickle.loads(asked.read(*LENGTH_PREFIX.unpack(length)))  # noqa: S301 - from the web process that began us
        # Whoever asked ends us first; this is for the case that they are gone.
        signal.alarm(int(LONGEST_SECONDS) * 2)
        try:
            message = pickle.dumps(analyse_pack(question))
        except Exception:
            message = pickle.dumps(traceback.format_exc())
        signal.alarm(0)
        answers.write(LENGTH_PREFIX.pack(len(message)) + message)
        answers.flush()


if __name__ == "__main__":
    main()
