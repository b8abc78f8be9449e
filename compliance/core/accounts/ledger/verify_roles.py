"""Verifier for `verify_ledger`: compares RoleAssignment rows with the entries that gave and ended roles. A row written
past the service would give a person powers that no entry gave."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from compliance.core.accounts.entry_kinds import KIND_BY_EVENT
from compliance.core.accounts.models import AccountAct, EventKind, RoleAssignment
from rounds.ledger import LogEntry, register_projection

GIVEN, ENDED = KIND_BY_EVENT[EventKind.ROLE_GIVEN], KIND_BY_EVENT[EventKind.ROLE_ENDED]
KINDS = (EventKind.ROLE_GIVEN, EventKind.ROLE_ENDED)
# Person, role, actor, time.
RoleChange = tuple[int | None, str, int | None, datetime]


def register_verifier() -> None:
    register_projection("roles held", [GIVEN, ENDED], verify_rows)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int | None, str]]:
    held = list(RoleAssignment.objects.filter(casino__slug=log).select_related("user"))
    given = {_change_from_row(one) for one in held}
    ended: set[RoleChange] = {
        (one.user_id, one.role, one.ended_by_id, one.ended_at) for one in held if one.ended_at is not None
    }
    acts = AccountAct.objects.filter(log=log).select_related("event")
    for act in acts.filter(entry_index__gte=first, entry_index__lt=last, event__kind__in=KINDS):
        known = given if act.event.kind == EventKind.ROLE_GIVEN else ended
        if _change_from_entry(act) not in known:
            yield act.entry_index, "the role it gave or ended is kept otherwise, or not at all."
    if first == 0:
        recorded = {_change_from_entry(act) for act in acts.filter(event__kind=EventKind.ROLE_GIVEN)}
        for one in held:
            if _change_from_row(one) not in recorded:
                yield None, f"{one.user.name} is kept as {one.get_role_display().lower()} here, and no entry gave that."


def _change_from_row(held: RoleAssignment) -> RoleChange:
    return held.user_id, held.role, held.given_by_id, held.given_at


def _change_from_entry(act: AccountAct) -> RoleChange:
    return act.event.subject_id, act.role, act.event.actor_id, act.event.at
