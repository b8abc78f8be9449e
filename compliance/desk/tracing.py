"""Everything that mentions a round, in the order of the log: entries that name it, and what took them back."""

from collections.abc import Iterator, Sequence

from rounds.ledger.following import Recorded
from rounds.ledger.searching import Wanted, corrections_of, entry_at, search

CONTROLLER_CORRECTION = "controller-correction"
AT_ONCE = 200


def entries_about(log: str, round_name: str, table: str = "") -> list[Recorded]:
    """Oldest first; with a table, without those about another, because two tables may number their rounds alike.

    A correction names the entry that it takes back and not its round, so it is looked for by that."""
    naming = _every(log, Wanted(round=round_name))
    found = {entry.index: entry for entry in naming if not table or entry.table in (None, table)}
    for index in corrections_of(log, found).values():
        correction = entry_at(log, index)
        if correction is not None:
            found[index] = correction
    for entry in list(found.values()):
        found |= {correction.index: correction for correction in controller_corrections(entry)}
    return [found[index] for index in sorted(found)]


def controller_corrections(entry: Recorded) -> list[Recorded]:
    """The later lines in which a controller says that this line of its own was wrong; newest first."""
    if entry.controller is None or entry.sequence is None or not entry.table:
        return []
    later = _every(entry.log, Wanted(table=entry.table, kind=CONTROLLER_CORRECTION), stop_at=entry.index)
    return [each for each in later if each.controller == entry.controller and _corrects(each) == entry.sequence]


def taken_back(log: str, table: str, entries: Sequence[Recorded]) -> frozenset[int]:
    """Of these entries of a table, those that people took back or that their controller says were wrong.

    A fixed number of queries: a controller corrects itself soon, so its nearest corrections are looked through."""
    if not entries:
        return frozenset()
    oldest = min(entry.index for entry in entries)
    said = search(log, Wanted(table=table, kind=CONTROLLER_CORRECTION), after=oldest, limit=AT_ONCE).entries
    wrong = {(each.controller, _corrects(each)) for each in said}
    by_people = corrections_of(log, [entry.index for entry in entries])
    return frozenset(by_people) | {entry.index for entry in entries if (entry.controller, entry.sequence) in wrong}


def _corrects(entry: Recorded) -> int | None:
    body = entry.content().get("body")
    number = body.get("corrects") if isinstance(body, dict) else None
    return number if type(number) is int else None


def _every(log: str, wanted: Wanted, stop_at: int = -1) -> Iterator[Recorded]:
    before: int | None = None
    while True:
        page = search(log, wanted, before=before, limit=AT_ONCE)
        yield from (entry for entry in page.entries if entry.index > stop_at)
        before = page.older
        if before is None or before <= stop_at:
            return
