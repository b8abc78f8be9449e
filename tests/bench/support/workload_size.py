"""Amount of data for each subject: `make bench WAGERS=5000000 TIMES=3`. The defaults take under ten minutes on two idle
processors; the amounts of the aims take about twenty.
"""

import os
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Size:
    """Each field is set by the environment variable with its name in capitals."""

    times: int = 3
    # Wagers of the audit, twenty a round, under all five rule packs.
    wagers: int = 1_000_000
    # The part of them for the plain ORM loop.
    orm_wagers: int = 50_000
    # Wagers of `wire`, under all five rule packs.
    wire: int = 200_000
    # Wagers of the longest log of `growth`; the others have a fourth and a twentieth.
    growth: int = 1_000_000
    # Intake: batches of each of two controllers, and single rounds of each of fifty.
    batches: int = 20
    rounds_each: int = 10
    # Rounds of twenty wagers in the log that is verified; entries in the log that a proof is taken from.
    verified: int = 20_000
    entries: int = 1_000_000
    # Rounds in the long log of `pages` (the short one has ten thousand); visits to each page.
    rounds: int = 100_000
    visits: int = 40
    # Findings in the PDF report.
    findings: int = 5_000


def read_size() -> Size:
    asked = {field.name: os.environ.get(field.name.upper(), "") for field in fields(Size)}
    for name, text in asked.items():
        if text and not (text.isascii() and text.isdigit() and int(text)):
            raise SystemExit(f"{name.upper()} is {text!r}: expected a whole number above nought.")
    return Size(**{name: int(text) for name, text in asked.items() if text})
