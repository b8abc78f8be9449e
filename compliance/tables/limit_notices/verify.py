"""`verify_ledger`: compares the state of notices and player limits with the entries that changed it."""

from collections.abc import Iterator, Sequence

from compliance.tables.limit_notices import entry_kinds
from compliance.tables.limit_notices.models import LimitNotice, NoticeStep, PlayerLimit
from compliance.tables.limit_notices.states import OPEN_STATES, NoticeState
from compliance.tables.signs.verify_ended_rows import EndedRowCheck
from rounds.intake.entry_kinds import PLAYER_LIMIT_ENDED
from rounds.ledger import LogEntry, register_projection

STATE_BY_KIND: dict[str, NoticeState] = {
    entry_kinds.IN_FORCE: NoticeState.IN_FORCE,
    entry_kinds.WITHDRAWN: NoticeState.WITHDRAWN,
    entry_kinds.LAPSED: NoticeState.LAPSED,
}


def register_verification() -> None:
    register_projection("states of notices", [entry_kinds.NOTICE, *STATE_BY_KIND], verify_rows)
    limits = EndedRowCheck(PlayerLimit, PLAYER_LIMIT_ENDED, "player_limit", "a player's limit")
    register_projection("ends of players' limits", [PLAYER_LIMIT_ENDED], limits.verify_rows)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """A notice must have the state set by the entry that ended it, or be pending if there is none."""
    steps = NoticeStep.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last).select_related("notice")
    by_entry = {step.entry_index: step for step in steps}
    for entry in entries:
        step, state = by_entry.get(entry.index), STATE_BY_KIND.get(entry.kind)
        # A missing step is reported by the comparison of its own rows.
        if state is not None and step is not None and {step.state, step.notice.state} != {state}:
            yield entry.index, "the notice is kept in another state than this entry brought it to."
    begun = LimitNotice.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for index in begun.exclude(state__in=OPEN_STATES).filter(end=None).values_list("entry_index", flat=True):
        yield index, "the notice is kept as ended, and no entry ended it."
