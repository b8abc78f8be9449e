"""What the pages show, and who may see it. Entries and bundles are reached only through access_entry, access_bundle."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from compliance.accounts.models import Casino, User
from compliance.accounts.roles import GOVERNMENT, Role
from compliance.accounts.selectors import people_of
from compliance.evidence.models import Bundle
from compliance.web.errors import NotFound
from rounds.ledger.following import Recorded
from rounds.ledger.mentions import person_value
from rounds.ledger.merkle import MAX_SIZE
from rounds.ledger.searching import entry_at, size_of

MAY_TAKE = GOVERNMENT | {Role.COMPLIANCE_OFFICER}
MAY_READ = MAY_TAKE | {Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER}
MOST_PEOPLE = 100


@dataclass(frozen=True)
class Place:
    """A place of a log. `entry` is None where something should be and is not."""

    index: int
    size: int
    entry: Recorded | None


def access_entry(user: User, casino: Casino, index: int) -> Place:
    if not user.holds(*MAY_READ, casino=casino) or index > MAX_SIZE:
        raise NotFound
    size = size_of(casino.slug)
    entry = entry_at(casino.slug, index)
    if entry is None and index >= size:
        raise NotFound
    return Place(index, size, entry)


def access_bundle(user: User, casino: Casino, bundle_id: int) -> Bundle:
    bundle = Bundle.objects.filter(pk=bundle_id, casino=casino).select_related("casino").first()
    if bundle is None or not may_take(user, casino):
        raise NotFound
    return bundle


def may_take(user: User, casino: Casino) -> bool:
    return user.holds(*MAY_TAKE, casino=casino)


def bundles_of(casino: Casino) -> QuerySet[Bundle]:
    return Bundle.objects.filter(casino=casino).select_related("casino")


def people_meant(casino: Casino, words: str) -> list[str]:
    """Whom somebody means who types a name, part of one, an e-mail address, or a number such as #17.

    Entries name people by number and by name; people who work here are found by part of either, others by the whole.
    """
    if words.startswith("#"):
        return [words]
    fitting = Q()
    for word in words.split():
        fitting &= Q(name__icontains=word) | Q(email__icontains=word)
    known = people_of(casino).filter(fitting).order_by("pk").values_list("pk", flat=True)[:MOST_PEOPLE]
    return [words.casefold(), *(person_value(pk) for pk in known)]
