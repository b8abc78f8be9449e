"""Audited read: the only way to a patron's details, and each access is recorded."""

import pytest
from django.db import DatabaseError, connection, transaction

from compliance.core.accounts.models import User
from compliance.core.web.errors import NotFound
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.errors import DestroyedAlready
from compliance.privacy.personal_data.models import AccessPurpose, DetailsAccess, PersonalFields, PersonalRecord
from compliance.privacy.personal_data.services import destroy_details
from compliance.privacy.personal_data.subjects import CLAIM, DISPUTE
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import Cast
from tests.compliance.privacy.personal_data.conftest import Overseers
from tests.compliance.privacy.personal_data.records import KEPT_AT, PAT, keep

MOMENT = "2026-11-16T09:30:00.000000Z"


def look(user: User, kept: PersonalRecord, note: str = "") -> dict[str, str]:
    return read_personal_details(
        user, kept.casino, kept.pk, purpose=AccessPurpose.DECIDE, note=note, now=KEPT_AT
    ).fields


def test_whoever_sees_the_details_stands_in_the_ledger_with_time_and_purpose(cast: Cast) -> None:
    kept = keep(cast.harbour)
    assert look(cast.ines, kept, note="Pat rang about it") == PAT
    [seen] = DetailsAccess.objects.all()
    assert (seen.by, seen.purpose, seen.at, seen.note) == (cast.ines, "decide", KEPT_AT, "Pat rang about it")
    [entry] = read_entries("harbour", seen.entry_index, seen.entry_index + 1)
    assert entry.kind == "personal-looked"
    named = {"id": cast.ines.pk, "name": "Ines"}
    assert entry.content() == {"record": kept.pk, "by": named, "at": MOMENT, "purpose": "decide"}


def test_no_detail_and_no_note_is_in_any_leaf(cast: Cast) -> None:
    kept = keep(cast.harbour)
    look(cast.ines, kept, note="Pat rang about it")
    leaves = b"".join(entry.body for entry in read_entries("harbour", 0, 1000))
    assert kept.digest_sha256.encode() in leaves
    for secret in (b"Pat", b"Quay", b"5550"):
        assert secret not in leaves


def test_the_same_person_twice_cannot_be_recognised_by_the_digests(cast: Cast) -> None:
    assert keep(cast.harbour).digest_sha256 != keep(cast.harbour, reference="D-2").digest_sha256


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT fields FROM patrons_personalfields",
        "SELECT count(*) FROM patrons_personalfields",
        "SELECT salt FROM patrons_personalfields",
        "UPDATE patrons_personalfields SET fields = '{}'",
        "DELETE FROM patrons_personalfields",
        "TRUNCATE patrons_personalfields",
        "COPY patrons_personalfields TO STDOUT",
    ],
)
def test_the_service_itself_cannot_read_or_change_the_details_in_any_other_way(cast: Cast, statement: str) -> None:
    keep(cast.harbour)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        connection.cursor().execute(statement)


def test_nor_can_the_object_relational_mapper(cast: Cast) -> None:
    kept = keep(cast.harbour)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        PersonalFields.objects.get(record=kept)
    assert DetailsAccess.objects.count() == 0


def test_a_look_cannot_be_made_up_changed_or_taken_back(cast: Cast) -> None:
    look(cast.ines, keep(cast.harbour))
    for statement in (
        "UPDATE patrons_personallook SET by_name = 'Otto'",
        "DELETE FROM patrons_personallook",
        "INSERT INTO patrons_personallook SELECT * FROM patrons_personallook",
    ):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            connection.cursor().execute(statement)


@pytest.mark.parametrize(
    ("name", "sees_disputes", "sees_claims"),
    [
        ("ines", True, True),
        ("cleo", True, True),
        ("aron", True, True),
        ("gita", True, False),
        ("mara", False, True),
        ("ada", False, False),
        ("otto", False, False),
    ],
)
def test_each_role_sees_what_its_work_needs(
    cast: Cast, more: Overseers, name: str, sees_disputes: bool, sees_claims: bool
) -> None:
    person = getattr(more, name, None) or getattr(cast, name)
    for subject, may_see in ((DISPUTE, sees_disputes), (CLAIM, sees_claims)):
        kept = keep(cast.harbour, subject=subject)
        if may_see:
            assert look(person, kept) == PAT
        else:
            with pytest.raises(NotFound):
                look(person, kept)
    assert DetailsAccess.objects.count() == sees_disputes + sees_claims


def test_a_record_is_not_found_through_another_casino(cast: Cast) -> None:
    kept = keep(cast.harbour)
    with pytest.raises(NotFound):
        read_personal_details(cast.ines, cast.marina, kept.pk, purpose=AccessPurpose.DECIDE, now=KEPT_AT)


def test_a_look_belongs_to_no_transaction_that_could_take_it_back(cast: Cast) -> None:
    kept = keep(cast.harbour)
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        look(cast.ines, kept)


def test_destroyed_details_are_said_to_be_destroyed(cast: Cast, more: Overseers) -> None:
    kept = keep(cast.harbour)
    destroy_details(doomed=kept, reason="Kept by mistake", actor=more.aron, now=KEPT_AT)
    with pytest.raises(DestroyedAlready):
        look(cast.ines, kept)
    assert DetailsAccess.objects.count() == 0
