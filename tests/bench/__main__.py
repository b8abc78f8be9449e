"""`make bench`: ours beside what somebody would pick instead, in the same run on the same data, as one table.

A subject is a module here with `cases(size)`; it makes its data in a database of its own and yields what to measure.
"""

import argparse
import importlib
import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from compliance.config.environment import PROJECT
from tests.bench.measuring import Measured, measure
from tests.bench.place import fresh_database, servers
from tests.bench.size import Size, size_asked

# In the order in which they run.
SUBJECTS = ("audit", "growth", "intake", "appends", "verification", "pages", "paper", "footprint")
HEADINGS = ("what", "ours", "peer", "theirs", "ratio", "spread", "aim", "met")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SUBJECTS)}; default: all of them")
    parser.add_argument("--json", type=Path, metavar="FILE", default=PROJECT / ".data" / "bench.json")
    options = parser.parse_args()
    if unknown := set(options.names) - set(SUBJECTS):
        parser.error(f"There is no subject called {', '.join(sorted(unknown))}.")
    size, lines = size_asked(), []
    with servers():
        for line in measured(options.names or SUBJECTS, size):
            lines.append(line)
            print(" | ".join(cells(line)), flush=True)
    print("\n" + "\n".join(table(lines)))
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(as_record(lines, size), indent=2, ensure_ascii=False) + "\n")


def measured(names: tuple[str, ...] | list[str], size: Size) -> Iterator[Measured]:
    for name in names:
        subject = importlib.import_module(f"tests.bench.{name}")
        with fresh_database(name):
            for case in subject.cases(size):
                yield from measure(case, size.times)


def cells(line: Measured) -> tuple[str, ...]:
    return (
        line.what, f"{figure(line.ours)} {line.unit}", line.peer, figure(line.theirs), f"{figure(line.ratio)}x",
        f"{figure(line.spread[0])}–{figure(line.spread[1])}", str(line.aim or ""),
        {None: "", True: "yes", False: "NO"}[line.is_met],
    )  # fmt: skip


def figure(value: float) -> str:
    """Three digits that count, as people write them."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(lines: list[Measured]) -> list[str]:
    rows = [HEADINGS, *map(cells, lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def as_record(lines: list[Measured], size: Size) -> dict[str, object]:
    return {
        "command": command(size),
        "machine": {"processors": os.cpu_count(), "load": os.getloadavg(), "python": platform.python_version()},
        "size": asdict(size),
        "lines": [{**asdict(line), "aim": str(line.aim or ""), "is_met": line.is_met} for line in lines],
    }


def command(size: Size) -> str:
    """What was typed, so that somebody else can type it."""
    asked = [f"{name.upper()}={value}" for name, value in asdict(size).items() if value != getattr(Size(), name)]
    return " ".join(["make bench", *asked])


if __name__ == "__main__":
    main()
