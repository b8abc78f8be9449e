"""Verifier for `verify_ledger`: compares IdentityLink rows with the entries that offered, linked and removed them. A
row written past the service would let a stranger act in another person's name."""

from collections.abc import Iterator, Sequence

from compliance.core.accounts.entry_kinds import KIND_BY_EVENT
from compliance.core.accounts.ledger.account_events import SITE_LOG
from compliance.core.accounts.models import AccountAct, EventKind
from compliance.core.accounts.sso.models import IdentityLink
from rounds.ledger import LogEntry, register_projection

KINDS = (EventKind.IDENTITY_OFFERED, EventKind.IDENTITY_LINKED, EventKind.IDENTITY_REMOVED)


def register_verifier() -> None:
    register_projection("single sign-on", [KIND_BY_EVENT[kind] for kind in KINDS], verify_rows)


def verify_rows(log: str, first: int, last: int, entries: Sequence[LogEntry]) -> Iterator[tuple[int | None, str]]:
    acts = AccountAct.objects.filter(log=log, event__kind__in=KINDS).select_related("event", "identity__user")
    for act in acts.filter(entry_index__gte=first, entry_index__lt=last):
        if not _matches_entry(act):
            yield act.entry_index, "the single sign-on that it is about is kept otherwise, or not at all."
    if first == 0 and log == SITE_LOG:
        linked_by = AccountAct.objects.filter(log=SITE_LOG, event__kind=EventKind.IDENTITY_LINKED)
        unrecorded = IdentityLink.objects.exclude(linked_at=None).exclude(pk__in=linked_by.values("identity"))
        for link in unrecorded.select_related("user"):
            yield None, f"{link.user.name} is kept as somebody whom {link.issuer} lets in, and no entry linked that."


def _matches_entry(act: AccountAct) -> bool:
    """Whether the row has the person, the actor and the time of its entry."""
    event, link = act.event, act.identity
    if link is None or link.user_id != event.subject_id:
        return False
    if event.kind == EventKind.IDENTITY_OFFERED:
        return (link.offered_by_id, link.offered_at) == (event.actor_id, event.at)
    if event.kind == EventKind.IDENTITY_LINKED:
        return link.linked_at == event.at
    return (link.ended_by_id, link.ended_at) == (event.actor_id, event.at)
