"""Records without their details, for those who oversee them. The details are reached only through looking.py."""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from compliance.accounts.models import Casino, RoleHeld, User
from compliance.patrons.models import Destruction, PersonalLook, PersonalRecord, PersonalRecordQuerySet
from compliance.patrons.retention import today_at
from compliance.patrons.subjects import OVERSEERS
from compliance.web.errors import NotFound

STATES = {"kept": "Kept", "held": "Held", "due": "Due for destruction", "destroyed": "Destroyed"}


def access_record(user: User, casino: Casino, record: int) -> PersonalRecord:
    """What is known of a record except the details. Absent and forbidden give the same answer."""
    kept = PersonalRecord.objects.described().filter(casino=casino, pk=record).first()
    if kept is None or not user.holds(*OVERSEERS, casino=casino):
        raise NotFound
    return kept


def search_records(
    casino: Casino, *, subject: str, state: str, reference: str, now: datetime
) -> PersonalRecordQuerySet:
    found = PersonalRecord.objects.filter(casino=casino).described()
    if subject:
        found = found.filter(subject=subject)
    if reference:
        found = found.filter(reference__icontains=reference)
    return found.in_state(state, today_at(casino, now))


def search_looks(casino: Casino, *, person: str, purpose: str) -> QuerySet[PersonalLook]:
    looks = PersonalLook.objects.filter(record__casino=casino).select_related("record")
    if person:
        looks = looks.filter(by_id=int(person))
    return looks.filter(purpose=purpose) if purpose else looks


def people_who_may_look(casino: Casino) -> QuerySet[User]:
    """Everybody who holds or held a role here: what somebody saw before they left still counts."""
    return User.objects.filter(Exists(RoleHeld.objects.filter(casino=casino, user=OuterRef("pk"))))


def destructions_at(casino: Casino) -> QuerySet[Destruction]:
    return Destruction.objects.filter(record__casino=casino).select_related("record")
