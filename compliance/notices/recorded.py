"""For `verify_ledger`: what became of notices and of single players' limits, against the entries that say so."""

from collections.abc import Iterator, Sequence

from compliance.notices import kinds
from compliance.notices.models import LimitNotice, NoticeStep, PlayerLimit, UnderMinimumWarning
from compliance.notices.states import OPEN, State
from compliance.signs.ended import Ended
from rounds.ledger.following import Recorded
from rounds.ledger.recorded import register_projection, register_record

STATE_OF = {kinds.IN_FORCE: State.IN_FORCE, kinds.WITHDRAWN: State.WITHDRAWN, kinds.LAPSED: State.LAPSED}


def register() -> None:
    register_record(kinds.NOTICE, LimitNotice.recorded_between)
    for kind in STATE_OF:
        register_record(kind, NoticeStep.recorded_between)
    register_record(kinds.PLAYER_LIMIT, PlayerLimit.recorded_between)
    register_record(kinds.WARNING, UnderMinimumWarning.recorded_between)
    register_projection("states of notices", [kinds.NOTICE, *STATE_OF], states_differ)
    limits = Ended(PlayerLimit, kinds.PLAYER_LIMIT_ENDED, "player_limit", "a player's limit")
    register_projection("ends of players' limits", [kinds.PLAYER_LIMIT_ENDED], limits.differences)


def states_differ(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int, str]]:
    """A notice has the state of the entry that ended it; until there is one, it waits."""
    steps = NoticeStep.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last).select_related("notice")
    by_entry = {step.entry_index: step for step in steps}
    for entry in entries:
        step, state = by_entry.get(entry.index), STATE_OF.get(entry.kind)
        # A step that is gone is told of by the comparison of records.
        if state is not None and step is not None and {step.state, step.notice.state} != {state}:
            yield entry.index, "the notice is kept in another state than this entry brought it to."
    begun = LimitNotice.objects.filter(log=log, entry_index__gte=first, entry_index__lt=last)
    for index in begun.exclude(state__in=OPEN).filter(end=None).values_list("entry_index", flat=True):
        yield index, "the notice is kept as ended, and no entry ended it."
