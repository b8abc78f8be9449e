"""Records without their details, for the roles that oversee them. Details are reached only through audited_read.py."""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.web.errors import NotFound
from compliance.privacy.personal_data.models import Destruction, DetailsAccess, PersonalRecord, PersonalRecordQuerySet
from compliance.privacy.personal_data.retention import casino_today
from compliance.privacy.personal_data.subjects import OVERSEERS

STATE_LABELS = {"kept": "Kept", "held": "Held", "due": "Due for destruction", "destroyed": "Destroyed"}


def access_record(user: User, casino: Casino, record: int) -> PersonalRecord:
    """A record without its details. Absent and forbidden both raise NotFound."""
    found = PersonalRecord.objects.with_list_details().filter(casino=casino, pk=record).first()
    if found is None or not user.has_role(*OVERSEERS, casino=casino):
        raise NotFound
    return found


def search_records(
    casino: Casino, *, subject: str, state: str, reference: str, now: datetime
) -> PersonalRecordQuerySet:
    found = PersonalRecord.objects.filter(casino=casino).with_list_details()
    if subject:
        found = found.filter(subject=subject)
    if reference:
        found = found.filter(reference__icontains=reference)
    return found.in_state(state, casino_today(casino, now))


def search_details_access(casino: Casino, *, person: str, purpose: str) -> QuerySet[DetailsAccess]:
    looks = DetailsAccess.objects.filter(record__casino=casino).select_related("record")
    if person:
        looks = looks.filter(by_id=int(person))
    return looks.filter(purpose=purpose) if purpose else looks


def people_with_details_access(casino: Casino) -> QuerySet[User]:
    """Everybody who holds or held a role here: accesses by people who have left still count."""
    return User.objects.filter(Exists(RoleAssignment.objects.filter(casino=casino, user=OuterRef("pk"))))


def destructions_at(casino: Casino) -> QuerySet[Destruction]:
    return Destruction.objects.filter(record__casino=casino).select_related("record")
