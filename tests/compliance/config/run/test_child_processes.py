"""Processes left behind by a run; dropping root without losing access to our own programs."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.config.run.child_processes import command_line, drop_root_privileges, stop_leftover_process

SLEEPER = [sys.executable, "-c", "import time; print('asleep', flush=True); time.sleep(600)"]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """A sleeping process that has printed its start: between fork and exec a process has an empty command line."""
    sleeper = subprocess.Popen([*SLEEPER, *arguments], stdout=subprocess.PIPE)
    assert sleeper.stdout is not None
    sleeper.stdout.readline()
    return sleeper


def test_a_leftover_that_names_our_folder_is_stopped(tmp_path: Path) -> None:
    ours = started(str(tmp_path))
    pid_file = tmp_path / "ours.pid"
    pid_file.write_text(f"{ours.pid}\n")
    assert str(tmp_path) in command_line(ours.pid)
    assert stop_leftover_process(pid_file, tmp_path, signal.SIGTERM, patience=5)
    assert ours.wait(5) == -signal.SIGTERM
    assert not pid_file.exists()


def test_one_that_ignores_the_polite_signal_is_killed(tmp_path: Path) -> None:
    deaf = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"
    )
    ours = subprocess.Popen([sys.executable, "-c", deaf, str(tmp_path)], stdout=subprocess.PIPE)
    assert ours.stdout is not None
    ours.stdout.readline()
    pid_file = tmp_path / "ours.pid"
    pid_file.write_text(str(ours.pid))
    assert stop_leftover_process(pid_file, tmp_path, signal.SIGTERM, patience=0.3)
    assert ours.wait(5) == -signal.SIGKILL


@pytest.mark.parametrize("written", ["", "nonsense", "999999999", None])
def test_a_torn_or_stale_pid_file_is_removed_and_nobody_is_stopped(tmp_path: Path, written: str | None) -> None:
    pid_file = tmp_path / "torn.pid"
    if written is not None:
        pid_file.write_text(written)
    assert not stop_leftover_process(pid_file, tmp_path, signal.SIGTERM)
    assert not pid_file.exists()


def test_a_stranger_with_a_re_used_process_id_is_left_alone(tmp_path: Path) -> None:
    stranger = started()
    pid_file = tmp_path / "ours.pid"
    pid_file.write_text(str(stranger.pid))
    assert not stop_leftover_process(pid_file, tmp_path, signal.SIGTERM)
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_who_leaves_root_still_finds_programs_below_a_closed_folder(tmp_path: Path) -> None:
    """A checkout in /root: PostgreSQL, as nobody, must see its own binaries there."""
    closed = tmp_path / "home"
    closed.mkdir(mode=0o700)
    program = shutil.copy("/bin/sh", closed / "program")
    nobody = pwd.getpwnam("nobody")

    def prepare() -> None:
        if os.geteuid() == 0:
            drop_root_privileges(nobody.pw_uid, nobody.pw_gid)

    script = 'test -x "$0" && id -u'
    done = subprocess.run(
        [program, "-c", script, program], preexec_fn=prepare, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == (nobody.pw_uid if os.geteuid() == 0 else os.geteuid())
