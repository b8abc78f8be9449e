"""Main loop of the editor's worker process: reads analysis requests from stdin, writes results to stdout, until EOF."""

from __future__ import annotations

import pickle
import resource
import signal
import sys
import traceback

from rounds.rulebook.editor.analysis import analyse_pack
from rounds.rulebook.editor.worker_process import LENGTH_PREFIX
from rounds.rulebook.size_limits import ANALYSIS_TIMEOUT_SECONDS

MAX_MEMORY_BYTES = 1024**3


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    requests, results = sys.stdin.buffer, sys.stdout.buffer
    while length := requests.read(LENGTH_PREFIX.size):
        request = pickle.loads(requests.read(*LENGTH_PREFIX.unpack(length)))  # noqa: S301 - from our parent, the web process
        # The parent kills this process at its own, shorter timeout. The alarm ends it if the parent has died.
        signal.alarm(int(ANALYSIS_TIMEOUT_SECONDS) * 2)
        try:
            message = pickle.dumps(analyse_pack(request))
        except Exception:
            message = pickle.dumps(traceback.format_exc())
        signal.alarm(0)
        results.write(LENGTH_PREFIX.pack(len(message)) + message)
        results.flush()


if __name__ == "__main__":
    main()
