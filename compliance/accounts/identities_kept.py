"""For `verify_ledger`: whom a provider's word lets in, against the entries that linked and removed it.

A link written past the service would let a stranger act in the name of somebody who knows nothing of it.
"""

from collections.abc import Iterator, Sequence

from compliance.accounts.events import SITE, entry_kind
from compliance.accounts.identity_links import IdentityLink
from compliance.accounts.models import AccountAct, EventKind
from rounds.ledger.following import Recorded
from rounds.ledger.recorded import register_projection

KINDS = (EventKind.IDENTITY_OFFERED, EventKind.IDENTITY_LINKED, EventKind.IDENTITY_REMOVED)


def register() -> None:
    register_projection("single sign-on", [entry_kind(kind) for kind in KINDS], identities_differ)


def identities_differ(log: str, first: int, last: int, entries: Sequence[Recorded]) -> Iterator[tuple[int | None, str]]:
    acts = AccountAct.objects.filter(log=log, event__kind__in=KINDS).select_related("event", "identity__user")
    for act in acts.filter(entry_index__gte=first, entry_index__lt=last):
        if not _fits(act):
            yield act.entry_index, "the single sign-on that it is about is kept otherwise, or not at all."
    if first == 0 and log == SITE:
        linked_by = AccountAct.objects.filter(log=SITE, event__kind=EventKind.IDENTITY_LINKED)
        untold = IdentityLink.objects.exclude(linked_at=None).exclude(pk__in=linked_by.values("identity"))
        for link in untold.select_related("user"):
            yield None, f"{link.user.name} is kept as somebody whom {link.issuer} lets in, and no entry linked that."


def _fits(act: AccountAct) -> bool:
    """Whether the row has the person, the hands and the instant of what the entry says."""
    event, link = act.event, act.identity
    if link is None or link.user_id != event.subject_id:
        return False
    if event.kind == EventKind.IDENTITY_OFFERED:
        return (link.offered_by_id, link.offered_at) == (event.actor_id, event.at)
    if event.kind == EventKind.IDENTITY_LINKED:
        return link.linked_at == event.at
    return (link.ended_by_id, link.ended_at) == (event.actor_id, event.at)
