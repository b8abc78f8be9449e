"""How much of each thing is measured: `make bench WAGERS=5000000 TIMES=3`. The defaults take under ten minutes on two
processors that do nothing else; those of the aims take about twenty."""

import os
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Size:
    """A field is set by the variable of its name in capital letters."""

    times: int = 3
    # Wagers of the audit, twenty a round, over all five rule sets.
    wagers: int = 1_000_000
    # Of these, what the plain ORM loop is given.
    orm_wagers: int = 50_000
    # The longest log of the growth; the others have a fourth and a twentieth of it.
    growth: int = 1_000_000
    # Batches of intake that each of two controllers sends, and single rounds that each of fifty sends.
    batches: int = 20
    rounds_each: int = 10
    # Rounds of twenty wagers whose log is verified; entries of the log that is proved from.
    verified: int = 20_000
    entries: int = 1_000_000
    # Rounds behind the pages, against ten thousand; visits to each page.
    rounds: int = 100_000
    visits: int = 40
    # In the report on paper.
    findings: int = 5_000


def read_size() -> Size:
    asked = {field.name: os.environ.get(field.name.upper(), "") for field in fields(Size)}
    for name, text in asked.items():
        if text and not (text.isascii() and text.isdigit() and int(text)):
            raise SystemExit(f"{name.upper()} is {text!r}: expected a whole number above nought.")
    return Size(**{name: int(text) for name, text in asked.items() if text})
