"""Labels of a round's events, and the round view (rounds.intake.round_view) that the pages show with them."""

from typing import Any

import msgspec

from compliance.pages.timeline.entry_text import format_person
from rounds.intake.round_view import RoundView, WagerView, access_round, read_round
from rounds.intake.summaries import EVENT_LABELS
from rounds.rulebook.labels import humanize_slug

__all__ = ["RoundView", "WagerView", "access_round", "event_label", "read_round"]


def event_label(name: str, count: int | None, by: Any) -> str:
    times = "" if count is None else " once" if count == 1 else f" {count} times"
    staff = msgspec.to_builtins(by) if by is not None else None
    return f"{EVENT_LABELS.get(name, humanize_slug(name))}{times}{f', {format_person(staff)}' if staff else ''}"
