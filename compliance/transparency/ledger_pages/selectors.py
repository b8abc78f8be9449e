"""What the pages show, and to whom. Entries and bundles are loaded only through access_entry and access_bundle."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.accounts.selectors import people_at_casino
from compliance.core.web.errors import NotFound
from compliance.transparency.ledger_pages.models import Bundle
from rounds.ledger import LogEntry, entry_at, readers, size_of
from rounds.transparency_log import tree

MAY_EXPORT = GOVERNMENT_ROLES | {Role.COMPLIANCE_OFFICER}
MAY_READ = MAY_EXPORT | {Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER}
MAX_PEOPLE = 100


@dataclass(frozen=True)
class EntrySlot:
    """A position in a log. `entry` is None if an entry should be there and is missing."""

    index: int
    size: int
    entry: LogEntry | None


def access_entry(user: User, casino: Casino, index: int) -> EntrySlot:
    if not user.has_role(*MAY_READ, casino=casino) or index > tree.MAX_SIZE:
        raise NotFound
    size = size_of(casino.slug)
    entry = entry_at(casino.slug, index)
    if entry is None and index >= size:
        raise NotFound
    return EntrySlot(index, size, entry)


def access_bundle(user: User, casino: Casino, bundle_id: int) -> Bundle:
    bundle = Bundle.objects.filter(pk=bundle_id, casino=casino).select_related("casino").first()
    if bundle is None or not may_export(user, casino):
        raise NotFound
    return bundle


def may_export(user: User, casino: Casino) -> bool:
    return user.has_role(*MAY_EXPORT, casino=casino)


def bundles_of(casino: Casino) -> QuerySet[Bundle]:
    return Bundle.objects.filter(casino=casino).select_related("casino")


def search_terms_for_people(casino: Casino, text: str) -> list[str]:
    """Search terms for a name, part of one, an e-mail address, or an id such as #17.

    Entries name people by id and by name. Staff are found by part of a name or address, others by the full name only.
    """
    if text.startswith("#"):
        return [text]
    fitting = Q()
    for word in text.split():
        fitting &= Q(name__icontains=word) | Q(email__icontains=word)
    known = people_at_casino(casino).filter(fitting).order_by("pk").values_list("pk", flat=True)[:MAX_PEOPLE]
    return [text.casefold(), *(readers.person_term(pk) for pk in known)]
