"""Who looked at what: every look at a patron's details, every list and file taken away, every read by another system.

A report is kept for ever, so nothing that somebody typed is in it: notes and filters may name a patron.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from compliance.accounts.models import Casino
from compliance.disclosures.models import Seen, Way
from compliance.disclosures.selectors import seen_at
from compliance.patrons.models import Purpose
from compliance.reports.assembling import assemble
from compliance.reports.basis import basis_of
from compliance.reports.document import Drawn, Fact, Grid, Heading, Row, Section
from compliance.web.moments import moment_text

HEADINGS = (
    Heading("When", 4), Heading("Who", 4), Heading("How", 3), Heading("What", 6), Heading("Rows", 2, True),
    Heading("Why, or narrowed by", 4), Heading("Entry", 2, True),
)  # fmt: skip


def _wanted(casino: Casino, chosen: Mapping[str, Any]) -> QuerySet[Seen]:
    times = {name: datetime.fromisoformat(chosen[name]) for name in ("since", "until") if chosen.get(name)}
    return seen_at(casino, {**chosen, **times})


def count(casino: Casino, chosen: Mapping[str, Any]) -> int:
    return _wanted(casino, chosen).count()


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> Drawn:
    seen = list(_wanted(casino, chosen).order_by("at", "pk"))
    return assemble(
        casino, now,
        title="Who looked at what",
        subject=_subject(casino, chosen),
        sections=(_totals(seen), _rows(seen, casino)),
        basis=basis_of(casino, []),
    )  # fmt: skip


def _subject(casino: Casino, chosen: Mapping[str, Any]) -> str:
    words = [casino.name]
    for name, says in (("since", "from"), ("until", "until")):
        if chosen.get(name):
            words.append(f"{says} {moment_text(datetime.fromisoformat(chosen[name]), casino)}")
    if chosen.get("way"):
        words.append(str(Way(chosen["way"]).label).lower())
    return ", ".join(words)


def _totals(seen: list[Seen]) -> Section:
    counted = Counter((one.who, one.way) for one in seen)
    rows = tuple(
        Row((who, str(Way(way).label), f"{number:,}")) for (who, way), number in sorted(counted.items())
    )  # fmt: skip
    headings = (Heading("Who", 4), Heading("How", 3), Heading("Times", 1, True))
    facts = (Fact("Looks, downloads and reads", f"{len(seen):,}"),)
    return Section(title="In short", facts=facts, grid=Grid(headings, rows, "Nobody."))


def _rows(seen: list[Seen], casino: Casino) -> Section:
    rows = tuple(
        Row(
            (
                moment_text(one.at, casino), one.who, one.get_way_display(), one.what,
                "" if one.rows is None else f"{one.rows:,}", _why(one), f"{one.entry_index:,}",
            ),
            one.entry_index,
        )
        for one in seen
    )  # fmt: skip
    return Section(title="One by one", grid=Grid(HEADINGS, rows, "Nobody took or saw anything in this time."))


def _why(one: Seen) -> str:
    return str(Purpose(one.purpose).label) if one.way == Way.LOOK else ", ".join(sorted(one.filters))
