"""Child processes of a run: they end with their parent, and leftovers of a killed run are found and stopped.

A process id counts only if the process's command line names our data folder, because ids are reused.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_SECUREBITS = 28
SECBIT_NO_SETUID_FIXUP = 4
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_OVERRIDE = 1
CAPABILITY_VERSION_3 = 0x20080522


def command_line(pid: int) -> str:
    """The command line of a live process, or an empty string."""
    proc = Path(f"/proc/{pid}")
    if Path("/proc/self").exists():
        try:
            return (proc / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            return ""
    command = ["ps", "-p", str(pid), "-o", "command="]
    listing = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ps, no shell
    return listing.stdout.strip()


def read_pid(pid_file: Path) -> int | None:
    try:
        return int(pid_file.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def stop_leftover_process(pid_file: Path, folder: Path, stop_signal: signal.Signals, patience: float = 10.0) -> bool:
    """Stops the process that an earlier run left behind, if it is still ours, and removes its pid file."""
    pid = read_pid(pid_file)
    was_ours = pid is not None and str(folder) in command_line(pid)
    if pid is not None and was_ours:
        stop_process(pid, folder, stop_signal, patience)
    pid_file.unlink(missing_ok=True)
    return was_ours


def stop_process(pid: int, folder: Path, stop_signal: signal.Signals, patience: float) -> None:
    for number in (stop_signal, signal.SIGKILL):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if str(folder) not in command_line(pid):
                return
            time.sleep(0.05)


def dies_with_parent(stop_signal: signal.Signals) -> Callable[[], None]:
    """Returns a preexec function: the kernel signals the child when the parent ends, even by SIGKILL (Linux)."""
    parent = os.getpid()

    def prepare() -> None:
        if not sys.platform.startswith("linux"):
            return
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


def drop_root_privileges(uid: int, gid: int) -> None:
    """Drops root, keeping only CAP_DAC_OVERRIDE, since a checkout may be below a home folder that others cannot enter.

    PostgreSQL refuses to run as root. Without the capability (strict containers) folder permissions decide."""
    libc = ctypes.CDLL(None)
    # Without this bit access(2), with which PostgreSQL looks for its own programs, ignores the capability.
    libc.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0)
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    capability = 1 << CAP_DAC_OVERRIDE
    sets = (ctypes.c_uint32 * 6)(capability, capability, capability, 0, 0, 0)
    if libc.capset(ctypes.byref(header), ctypes.byref(sets)) == 0:
        libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0)
