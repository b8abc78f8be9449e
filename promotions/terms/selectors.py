"""Queries on promotions and terms. Single objects are fetched through access_*; absent and forbidden raise the same
error."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import CASINO_SIDE
from compliance.core.accounts.separation import is_other_person
from compliance.core.web.errors import NotFound
from promotions.shared.permissions import MAY_DECIDE, MAY_READ, MAY_WRITE
from promotions.terms.models import (
    AmendmentDecision,
    Attachment,
    Draft,
    Material,
    PrescribedItem,
    Promotion,
    TermsVersion,
    TermsVersionQuerySet,
    VersionKind,
    VersionState,
)

# How long a filing or a decision is on the home page of those who are told of it.
RECENT = timedelta(days=7)
# Everything recorded about a promotion. Draws and claims are in apps above this one, so they are named by relation.
ENTRY_PATHS = (
    "versions", "versions__decisions", "materials", "stops", "draws", "draws__steps", "draws__publications",
    "draws__winners", "draws__winners__attempts", "claims", "claims__decisions",
    "claims__decisions__notifications",
    "claims__payments",
)  # fmt: skip


def entries_by_promotion(promotions: Collection[int]) -> dict[int, set[int]]:
    """By the key of each promotion, the entries of everything recorded about it. One query."""
    own = Promotion.objects.filter(pk__in=promotions).order_by()
    first, *others = (own.values_list("pk", f"{path}__entry_index") for path in ENTRY_PATHS)
    found: dict[int, set[int]] = {key: set() for key in promotions}
    for key, entry in first.union(*others):
        if entry is not None:
            found[key].add(entry)
    return found


def entries_of_promotion(promotion: Promotion) -> set[int]:
    return entries_by_promotion([promotion.pk])[promotion.pk]


def access_promotion(user: User, casino: Casino, number: int) -> Promotion:
    may = user.has_role(*MAY_READ, casino=casino)
    found = Promotion.objects.select_related("casino").filter(casino=casino, number=number).first() if may else None
    if found is None:
        raise NotFound
    return found


def access_terms(user: User, casino: Casino, promotion: int, number: int) -> TermsVersion:
    may = user.has_role(*MAY_READ, casino=casino)
    versions = TermsVersion.recorded.with_related()
    lookup = {"promotion__casino": casino, "promotion__number": promotion, "number": number}
    found = versions.filter(**lookup).first() if may else None
    if found is None:
        raise NotFound
    return found


def access_draft(user: User, casino: Casino, draft: int) -> Draft:
    """Only for marketing: a draft may never be filed, so others do not read it."""
    drafts = Draft.objects.select_related("casino", "promotion__casino")
    found = drafts.filter(casino=casino, pk=draft).first() if user.has_role(*MAY_WRITE, casino=casino) else None
    if found is None:
        raise NotFound
    return found


def access_attachment(user: User, casino: Casino, sha256: str) -> Attachment:
    found = Attachment.objects.filter(casino=casino, sha256=sha256).first()
    if found is None or not user.has_role(*MAY_READ, casino=casino):
        raise NotFound
    return found


def access_prescribed(user: User, casino: Casino, item: int, now: datetime) -> PrescribedItem:
    """A prescribed item that is still on the list."""
    may = user.has_role(*MAY_DECIDE, casino=casino)
    listed = PrescribedItem.objects.listed(now).select_related("casino")
    found = listed.filter(casino=casino, pk=item).first() if may else None
    if found is None:
        raise NotFound
    return found


def published_terms(casino: str, promotion: int, number: int) -> TermsVersion:
    """Terms that are or were in force, for the public. Pending and refused amendments are not public."""
    versions = TermsVersion.objects.with_related().filter(promotion__casino__slug=casino)
    version = versions.filter(promotion__number=promotion, number=number).first()
    if version is None or not version.is_effective():
        raise NotFound
    return version


def version_in_force(promotion: Promotion, at: datetime) -> TermsVersion | None:
    effective = TermsVersion.objects.with_related().effective(at).filter(promotion=promotion)
    return effective.order_by("-number").first()


def state_of(version: TermsVersion, newest: int) -> VersionState:
    """`newest` is the number of the version in force."""
    if version.is_withdrawn:
        return VersionState.WITHDRAWN
    if not version.is_effective():
        return VersionState.REFUSED if version.get_decision() else VersionState.WAITING
    return VersionState.IN_FORCE if version.number == newest else VersionState.SUPERSEDED


def current_versions(casino: Casino, now: datetime) -> TermsVersionQuerySet:
    """The version in force of each promotion of a casino."""
    return TermsVersion.objects.with_related().filter(promotion__casino=casino).in_force(now)


def promotions_without_reference(casino: Casino, now: datetime) -> TermsVersionQuerySet:
    """Running promotions without recorded marketing material that refers to their terms."""
    referring = Material.objects.filter(promotion=OuterRef("promotion"), is_referring=True)
    running = current_versions(casino, now).filter(starts_at__lte=now).exclude(ends_at__lte=now)
    return running.filter(~Exists(referring))


def prescribed_items_at(casino: Casino, at: datetime) -> dict[str, str]:
    """The Authority's list at a given time: key of the item → description."""
    return {item.key: item.item for item in PrescribedItem.objects.listed(at).filter(casino=casino)}


def drafts_of(casino: Casino) -> QuerySet[Draft]:
    return Draft.objects.filter(casino=casino).select_related("casino", "promotion", "begun_by")


def amendments_waiting_for(user: User) -> TermsVersionQuerySet:
    """Pending amendments that this person may decide."""
    where = user.casinos_with(*MAY_DECIDE)
    waiting = TermsVersion.objects.awaiting_decision().with_related().filter(promotion__casino__in=where)
    dependent = [version.pk for version in waiting if not is_independent(user, version)]
    return waiting.exclude(pk__in=dependent).order_by("filed_at")


def filings_to_read(user: User, now: datetime) -> TermsVersionQuerySet:
    """Recent filings at the casinos where this person decides for the Authority, newest first."""
    filed = TermsVersion.objects.with_related().filter(
        kind=VersionKind.FILING, promotion__casino__in=user.casinos_with(*MAY_DECIDE), filed_at__gt=now - RECENT
    )
    return filed.exclude(filed_by=user).order_by("-filed_at")


def decisions_to_read(user: User, now: datetime) -> TermsVersionQuerySet:
    """Amendments of this person's casinos that the Authority decided recently, newest first."""
    recent = AmendmentDecision.objects.filter(version=OuterRef("pk"), at__gt=now - RECENT).order_by("-at")
    decided = TermsVersion.objects.with_related().annotate(decided_at=Subquery(recent.values("at")[:1]))
    where = user.casinos_with(*MAY_WRITE)
    return decided.filter(promotion__casino__in=where, decided_at__isnull=False).order_by("-decided_at")


def is_independent(user: User, version: TermsVersion) -> bool:
    """Whether this person may decide for the Authority: not whoever asked, nobody to whom they gave the role, and
    nobody who held a role of the casino since."""
    held = user.roles.filter(casino=version.promotion.casino)
    of_the_casino = held.filter(role__in=CASINO_SIDE).exclude(ended_at__lte=version.filed_at)
    from_asker = held.current().filter(role__in=MAY_DECIDE, given_by=version.filed_by)
    return is_other_person(user, version.filed_by_id) and not of_the_casino.exists() and not from_asker.exists()
