"""Stopping a run leaves no process behind, whatever the process manager does with the signal."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.config.run.launcher import stop_processes

# Process managers that ignore SIGTERM once, or always, as honcho did when a signal arrived while it printed.
DEAF_ONCE = """
import signal, sys, time
heard = []
signal.signal(signal.SIGTERM, lambda *_: heard.append(1) or (len(heard) > 1 and sys.exit(0)))
print("up", flush=True)
while True: time.sleep(0.02)
"""
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
WEB = "import time; print('up', flush=True); time.sleep(600)"


def start(program: str, *arguments: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.mark.parametrize(("program", "ends_with"), [(DEAF_ONCE, 0), (DEAF, -signal.SIGKILL)])
def test_a_process_manager_that_missed_the_signal_takes_nobody_along(
    tmp_path: Path, program: str, ends_with: int
) -> None:
    manager, web = start(program), start(WEB, str(tmp_path))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "web.pid").write_text(f"{web.pid}\n")
    stop_processes(manager, tmp_path, patience=2)
    assert manager.wait(5) == ends_with
    assert web.wait(5) == -signal.SIGTERM
