"""For `verify_ledger`: each stretch of a sign's being up against the entries it came from."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from compliance.signs import kinds
from compliance.signs.ended import Ended
from compliance.signs.models import Display, Showing, Source
from rounds.intake.recorded import register_kinds
from rounds.ledger.following import Recorded
from rounds.ledger.recorded import register_projection, register_record

NAME = "signs that people and displays confirmed"


def register() -> None:
    register_kinds()
    register_projection(NAME, [kinds.SHOWN, kinds.REMOVED], differences)
    register_record(kinds.DISPLAY_ADDED, Display.recorded_between)
    displays = Ended(Display, kinds.DISPLAY_ENDED, "added", "a display")
    register_projection("ends of displays", [kinds.DISPLAY_ENDED], displays.differences)


def differences(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    here = {entry.index: entry for entry in entries}
    own = Showing.objects.filter(log=log).exclude(source=Source.CONTROLLER).select_related("sign")
    for showing in own.filter(shown_index__gte=first, shown_index__lt=last):
        if not _says(here.get(showing.shown_index), kinds.SHOWN, showing, showing.since_at):
            yield showing.shown_index, "a sign is said to be up since then, and this entry says something else."
    for showing in own.filter(removed_index__gte=first, removed_index__lt=last):
        assert showing.removed_index is not None
        assert showing.until_at is not None
        if not _says(here.get(showing.removed_index), kinds.REMOVED, showing, showing.until_at):
            yield showing.removed_index, "a sign is said to have come down then, and this entry says something else."


def _says(entry: Recorded | None, kind: str, showing: Showing, at: datetime) -> bool:
    if entry is None or entry.kind != kind:
        return False
    line: dict[str, Any] = entry.content()
    return datetime.fromisoformat(line["at"]) == at and line["body"]["sign"] == showing.sign.name
