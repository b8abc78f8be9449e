"""Every entry about a round, in log order: entries that name it, and corrections of those."""

from collections.abc import Iterator, Sequence

from rounds.intake.entry_kinds import CONTROLLER_CORRECTION
from rounds.ledger import EntryQuery, LogEntry, corrections_of, entry_at, search_entries

SEARCH_PAGE_SIZE = 200


def entries_about_round(log: str, round_name: str, table: str = "") -> list[LogEntry]:
    """Oldest first. With a table, entries about other tables are left out, because two tables may use the same round
    numbers. A correction names the entry that it corrects, not the round, so it is searched for by that."""
    naming = _search_all_pages(log, EntryQuery(round=round_name))
    found = {entry.index: entry for entry in naming if not table or entry.table in (None, table)}
    for index in corrections_of(log, found).values():
        correction = entry_at(log, index)
        if correction is not None:
            found[index] = correction
    for entry in list(found.values()):
        found |= {correction.index: correction for correction in controller_corrections(entry)}
    return [found[index] for index in sorted(found)]


def controller_corrections(entry: LogEntry) -> list[LogEntry]:
    """Later lines in which the controller corrects this line; newest first."""
    if entry.controller is None or entry.sequence is None or not entry.table:
        return []
    later = _search_all_pages(entry.log, EntryQuery(table=entry.table, kind=CONTROLLER_CORRECTION), stop_at=entry.index)
    return [
        each for each in later if each.controller == entry.controller and _corrected_sequence(each) == entry.sequence
    ]


def find_corrected_entries(log: str, table: str, entries: Sequence[LogEntry]) -> frozenset[int]:
    """Those of these entries that were corrected, by people or by their controller. A fixed number of queries: a
    controller corrects itself soon, so only the next page of its corrections is read."""
    if not entries:
        return frozenset()
    oldest = min(entry.index for entry in entries)
    corrections = search_entries(
        log, EntryQuery(table=table, kind=CONTROLLER_CORRECTION), after=oldest, limit=SEARCH_PAGE_SIZE
    ).entries
    wrong = {(each.controller, _corrected_sequence(each)) for each in corrections}
    by_people = corrections_of(log, [entry.index for entry in entries])
    return frozenset(by_people) | {entry.index for entry in entries if (entry.controller, entry.sequence) in wrong}


def _corrected_sequence(entry: LogEntry) -> int | None:
    body = entry.content().get("body")
    number = body.get("corrects") if isinstance(body, dict) else None
    return number if type(number) is int else None


def _search_all_pages(log: str, query: EntryQuery, stop_at: int = -1) -> Iterator[LogEntry]:
    before: int | None = None
    while True:
        page = search_entries(log, query, before=before, limit=SEARCH_PAGE_SIZE)
        yield from (entry for entry in page.entries if entry.index > stop_at)
        before = page.older
        if before is None or before <= stop_at:
            return
