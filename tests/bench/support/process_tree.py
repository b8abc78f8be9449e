"""Processor time of this process and everything that it started: servers, workers and their children."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds() -> float:
    """User and system time, with that of children that have ended and were waited for."""
    return sum(_ticks(pid) for pid in _tree(os.getpid())) / TICKS


def _tree(root: int) -> list[int]:
    parents = {pid: parent for pid in _pids() if (parent := _parent(pid)) is not None}
    tree, found = [root], {root}
    for pid in tree:
        for child, parent in parents.items():
            if parent == pid and child not in found:
                found.add(child)
                tree.append(child)
    return tree


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _parent(pid: int) -> int | None:
    fields = _fields(pid)
    return int(fields[1]) if fields else None


def _ticks(pid: int) -> int:
    return sum(map(int, _fields(pid)[11:15]))


def _fields(pid: int) -> list[str]:
    """After the name, which is in brackets and may contain spaces; none for a process that has ended."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
