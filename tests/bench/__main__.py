"""`make bench`: ours beside what somebody would pick instead, in the same run on the same data, as one table.

A subject is a module here with `cases(size)`; it makes its data in a database of its own and yields what to measure.
"""

import argparse
import importlib
import json
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from compliance.config.environment import PROJECT
from tests.bench.support.database import fresh_database, servers
from tests.bench.support.measurement import Measurement, measure
from tests.bench.support.workload_size import Size, read_size

# In the order in which they run.
SUBJECTS = (
    "audit", "what_if", "parquet", "growth", "intake", "appends", "verification", "pages", "precheck", "paper",
    "footprint", "wire",
)  # fmt: skip
HEADINGS = ("what", "ours", "peer", "theirs", "ratio", "spread", "aim", "met")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SUBJECTS)}; default: all of them")
    parser.add_argument("--json", type=Path, metavar="FILE", default=PROJECT / ".data" / "bench.json")
    options = parser.parse_args()
    if unknown := set(options.names) - set(SUBJECTS):
        parser.error(f"There is no subject called {', '.join(sorted(unknown))}.")
    size, lines, minutes = read_size(), [], Clock()
    with servers():
        minutes.note("servers")
        for name in options.names or SUBJECTS:
            print(f"-- {name}", flush=True)
            lines += (of_subject := list(print_lines(measure_subject(name, size))))
            save_record(options.json, name, as_record(name, of_subject, size))
            minutes.note(name)
    print("\n" + "\n".join(format_table(lines)))
    print(f"\n{minutes}")


class Clock:
    """Duration of each part, in the order of the run."""

    def __init__(self) -> None:
        self.begun = self.last = time.monotonic()
        self.taken: list[tuple[str, float]] = []

    def note(self, name: str) -> None:
        now = time.monotonic()
        self.taken.append((name, now - self.last))
        self.last = now

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in self.taken)
        return f"It took {(self.last - self.begun) / 60:.1f} minutes: {parts}."


def measure_subject(name: str, size: Size) -> Iterator[Measurement]:
    subject = importlib.import_module(f"tests.bench.{name}")
    with fresh_database(name):
        for case in subject.cases(size):
            yield from measure(case, size.times)


def print_lines(lines: Iterator[Measurement]) -> Iterator[Measurement]:
    for line in lines:
        print(" | ".join(format_cells(line)), flush=True)
        yield line


def save_record(path: Path, name: str, record: dict[str, object]) -> None:
    """Replaces this subject's last record in the file and keeps those of the others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(kept | {name: record}, indent=2, ensure_ascii=False) + "\n")


def format_cells(line: Measurement) -> tuple[str, ...]:
    return (
        line.what,
        f"{format_figure(line.ours)} {line.unit}",
        line.peer,
        format_figure(line.theirs),
        f"{format_figure(line.ratio)}x",
        f"{format_figure(line.spread[0])}–{format_figure(line.spread[1])}",
        str(line.aim or ""),
        {None: "", True: "yes", False: "NO"}[line.is_met],
    )


def format_figure(value: float) -> str:
    """With three significant digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def format_table(lines: list[Measurement]) -> list[str]:
    rows = [HEADINGS, *map(format_cells, lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def as_record(name: str, lines: list[Measurement], size: Size) -> dict[str, object]:
    return {
        "command": bench_command(name, size),
        "machine": {"processors": os.cpu_count(), "load": os.getloadavg(), "python": platform.python_version()},
        "size": asdict(size),
        "lines": [{**asdict(line), "aim": str(line.aim or ""), "is_met": line.is_met} for line in lines],
    }


def bench_command(name: str, size: Size) -> str:
    """The command that repeats this run."""
    asked = [f"{name.upper()}={value}" for name, value in asdict(size).items() if value != getattr(Size(), name)]
    return " ".join(["make bench", f"SUBJECTS={name}", *asked])


if __name__ == "__main__":
    main()
