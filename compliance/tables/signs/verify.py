"""`verify_ledger`: compares each Showing with the entries it came from."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from compliance.tables.signs import entry_kinds
from compliance.tables.signs.models import Display, Showing, SignSource
from compliance.tables.signs.verify_ended_rows import EndedRowCheck
from rounds.intake.entry_kinds import SIGN_REMOVED, SIGN_SHOWN
from rounds.ledger import LogEntry, register_projection

PROJECTION_NAME = "signs that people and displays confirmed"


def register_verification() -> None:
    register_projection(PROJECTION_NAME, [SIGN_SHOWN, SIGN_REMOVED], verify_rows)
    displays = EndedRowCheck(Display, entry_kinds.DISPLAY_ENDED, "added", "a display")
    register_projection("ends of displays", [entry_kinds.DISPLAY_ENDED], displays.verify_rows)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    here = {entry.index: entry for entry in entries}
    own = Showing.recorded.filter(log=log).exclude(source=SignSource.CONTROLLER).select_related("sign")
    for showing in own.filter(shown_index__gte=first, shown_index__lt=last):
        if not _entry_matches(here.get(showing.shown_index), SIGN_SHOWN, showing, showing.since_at):
            yield showing.shown_index, "a sign is said to be up since then, and this entry says something else."
    for showing in own.filter(removed_index__gte=first, removed_index__lt=last):
        assert showing.removed_index is not None
        assert showing.until_at is not None
        if not _entry_matches(here.get(showing.removed_index), SIGN_REMOVED, showing, showing.until_at):
            yield showing.removed_index, "a sign is said to have come down then, and this entry says something else."


def _entry_matches(entry: LogEntry | None, kind: str, showing: Showing, at: datetime) -> bool:
    if entry is None or entry.kind != kind:
        return False
    line: dict[str, Any] = entry.content()
    return datetime.fromisoformat(line["at"]) == at and line["body"]["sign"] == showing.sign.name
