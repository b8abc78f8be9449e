"""Retention: seven years, a period that was set, or a hold; then destroyed."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.db import DatabaseError, IntegrityError, connection, transaction

from compliance.config.schedule import PERIODIC_TASKS
from compliance.core.accounts.models import Casino
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.errors import (
    DestroyedAlready,
    HoldInForce,
    HoldTooShort,
    RoleNotAllowed,
    SupersededAlready,
)
from compliance.privacy.personal_data.health import check_destruction
from compliance.privacy.personal_data.models import AccessPurpose, Destruction, PersonalRecord, RetentionHold
from compliance.privacy.personal_data.retention import add_years
from compliance.privacy.personal_data.services import (
    destroy_details,
    destroy_due,
    hold_record,
    set_retention,
    store_personal_details,
)
from compliance.privacy.personal_data.subjects import CLAIM, DISPUTE
from compliance.privacy.personal_data.tasks import DESTROY_TASK, destroy_due_details
from rounds.ledger.readers.consumer import read_entries
from rounds.transparency_log.errors import EntryError
from tests.compliance.core.accounts.people import Cast
from tests.compliance.privacy.personal_data.conftest import Overseers
from tests.compliance.privacy.personal_data.records import KEPT_AT, PAT, keep

# Stored on 16 November 2026, in the evening in Sydney: the last day is 16 November 2033, which ends there at 13:00
# UTC.
LAST_DAY = date(2033, 11, 16)
STILL_THAT_DAY = datetime(2033, 11, 16, 12, 59, 59, tzinfo=UTC)
THE_DAY_AFTER = datetime(2033, 11, 16, 13, 0, tzinfo=UTC)


def details_there(kept: PersonalRecord) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT found_sha256 IS NOT NULL FROM patrons_compare(%s)", [[kept.pk]])
        [[is_there]] = cursor.fetchall()
    return bool(is_there)


def test_seven_years_to_the_day_by_the_casinos_calendar(cast: Cast) -> None:
    kept = keep(cast.harbour)
    assert kept.keep_until_on == LAST_DAY
    assert destroy_due(casino=cast.harbour, now=STILL_THAT_DAY) == 0
    assert details_there(kept)
    assert destroy_due(casino=cast.harbour, now=THE_DAY_AFTER) == 1
    assert not details_there(kept)


def test_destruction_leaves_digest_reason_and_entry_and_done_twice_changes_nothing(cast: Cast) -> None:
    kept = keep(cast.harbour)
    destroy_due(casino=cast.harbour, now=THE_DAY_AFTER)
    assert destroy_due(casino=cast.harbour, now=THE_DAY_AFTER) == 0
    [destruction] = Destruction.objects.all()
    [entry] = read_entries("harbour", 0, 1000, kinds=["personal-destroyed"])
    assert entry.index == destruction.entry_index
    assert entry.content() == {
        "personal_record": kept.pk,
        "digest_sha256": kept.digest_sha256,
        "by": None,
        "at": "2033-11-16T13:00:00.000000Z",
        "reason": "The time for which it was kept was over.",
    }


def test_a_batch_at_a_time_and_one_casino_does_not_touch_another(cast: Cast) -> None:
    for number in range(5):
        keep(cast.harbour, reference=f"D-{number}")
    keep(cast.marina)
    now = THE_DAY_AFTER + timedelta(days=1)
    assert [destroy_due(casino=cast.harbour, now=now, limit=2) for _ in range(4)] == [2, 2, 1, 0]
    assert Destruction.objects.filter(record__casino=cast.marina).count() == 0


def test_the_hourly_task_serves_every_casino_and_the_status_page_tells_when_it_does_not(cast: Cast) -> None:
    keep(cast.harbour)
    keep(cast.marina)
    a_day_late = THE_DAY_AFTER + timedelta(days=1, hours=4)
    assert not check_destruction(a_day_late).is_ok
    with time_machine.travel(a_day_late, tick=False):
        destroy_due_details()
    assert Destruction.objects.count() == 2
    assert check_destruction(a_day_late).is_ok
    assert DESTROY_TASK in {periodic.task for periodic in PERIODIC_TASKS}


def test_a_leap_day_is_never_a_day_too_few() -> None:
    assert add_years(date(2028, 2, 29), 7) == date(2035, 3, 1)
    assert add_years(date(2028, 2, 29), 4) == date(2032, 2, 29)
    assert add_years(date(2026, 11, 16), 7) == date(2033, 11, 16)


class TestHold:
    def test_it_lasts_through_its_last_day(self, cast: Cast, more: Overseers) -> None:
        kept = keep(cast.harbour)
        hold_record(held=kept, until_on=date(2034, 1, 1), reason="Court case 7", actor=more.cleo, now=KEPT_AT)
        assert destroy_due(casino=cast.harbour, now=datetime(2034, 1, 1, 12, tzinfo=UTC)) == 0
        assert destroy_due(casino=cast.harbour, now=datetime(2034, 1, 1, 13, tzinfo=UTC)) == 1

    def test_it_is_an_entry_with_reason_and_person(self, cast: Cast, more: Overseers) -> None:
        kept = keep(cast.harbour)
        hold_record(held=kept, until_on=date(2034, 1, 1), reason="Court case 7", actor=more.cleo, now=KEPT_AT)
        [entry] = read_entries("harbour", 0, 1000, kinds=["personal-held"])
        assert entry.content() == {
            "record": kept.pk,
            "until": "2034-01-01",
            "reason": "Court case 7",
            "by": {"id": more.cleo.pk, "name": "Cleo"},
            "at": "2026-11-16T09:30:00.000000Z",
        }

    @pytest.mark.parametrize("until_on", [LAST_DAY, date(2030, 1, 1)])
    def test_it_never_shortens(self, cast: Cast, until_on: date) -> None:
        with pytest.raises(HoldTooShort):
            hold_record(held=keep(cast.harbour), until_on=until_on, reason="x", actor=cast.ines, now=KEPT_AT)
        assert not RetentionHold.objects.exists()

    def test_nobody_destroys_what_is_held_not_even_by_hand(self, cast: Cast, more: Overseers) -> None:
        kept = keep(cast.harbour)
        hold_record(held=kept, until_on=date(2034, 1, 1), reason="Court case 7", actor=cast.ines, now=KEPT_AT)
        with pytest.raises(HoldInForce):
            destroy_details(doomed=kept, reason="Asked for", actor=more.aron, now=KEPT_AT)
        past_the_service = Destruction(
            record=kept, reason="x", by=more.aron, by_name="Aron", at=KEPT_AT, log="harbour", entry_index=900
        )
        with pytest.raises(IntegrityError, match="is held"), transaction.atomic():
            past_the_service.save()
        assert details_there(kept)

    def test_what_is_destroyed_cannot_be_held(self, cast: Cast, more: Overseers) -> None:
        kept = keep(cast.harbour)
        destroy_details(doomed=kept, reason="Kept by mistake", actor=more.aron, now=KEPT_AT)
        with pytest.raises(DestroyedAlready):
            hold_record(held=kept, until_on=date(2050, 1, 1), reason="x", actor=cast.ines, now=KEPT_AT)


class TestBeforeItsTime:
    def test_an_authority_officer_destroys_with_a_reason_and_once(self, cast: Cast, more: Overseers) -> None:
        kept = keep(cast.harbour)
        destroyed = destroy_details(doomed=kept, reason="Kept by mistake", actor=more.aron, now=KEPT_AT)
        assert (destroyed.by, destroyed.reason) == (more.aron, "Kept by mistake")
        assert not details_there(kept)
        with pytest.raises(DestroyedAlready):
            destroy_details(doomed=kept, reason="Again", actor=more.aron, now=KEPT_AT)

    @pytest.mark.parametrize("name", ["cleo", "ines", "ada"])
    def test_nobody_else_does(self, cast: Cast, more: Overseers, name: str) -> None:
        person = getattr(more, name, None) or getattr(cast, name)
        kept = keep(cast.harbour)
        with pytest.raises(RoleNotAllowed):
            destroy_details(doomed=kept, reason="Asked for", actor=person, now=KEPT_AT)
        assert details_there(kept)

    def test_the_database_lets_nobody_unnamed_destroy_early(self, cast: Cast) -> None:
        kept = keep(cast.harbour)
        early = Destruction(record=kept, reason="x", at=STILL_THAT_DAY, log="harbour", entry_index=900)
        with pytest.raises(IntegrityError, match="is not over"), transaction.atomic():
            early.save()


class TestRules:
    def test_a_time_that_is_set_holds_for_what_is_kept_after_it(self, cast: Cast, more: Overseers) -> None:
        before = keep(cast.harbour)
        tomorrow = KEPT_AT + timedelta(days=1)
        set_retention(casino=cast.harbour, subject=DISPUTE, years=2, reason="New act", actor=more.aron, now=tomorrow)
        after = keep(cast.harbour, now=tomorrow + timedelta(hours=1))
        other = keep(cast.harbour, subject=CLAIM, now=tomorrow + timedelta(hours=1))
        assert [kept.keep_until_on for kept in (before, after, other)] == [
            LAST_DAY,
            date(2028, 11, 17),
            date(2033, 11, 17),
        ]
        [entry] = read_entries("harbour", 0, 1000, kinds=["retention-set"])
        assert (entry.content()["subject"], entry.content()["years"]) == ("dispute", 2)

    def test_only_an_authority_officer_sets_it(self, cast: Cast, more: Overseers) -> None:
        for person in (more.cleo, cast.ines):
            with pytest.raises(RoleNotAllowed):
                set_retention(casino=cast.harbour, subject=DISPUTE, years=2, reason="x", actor=person, now=KEPT_AT)


class TestKeeping:
    def test_newer_details_supersede_and_both_are_kept(self, cast: Cast) -> None:
        older = keep(cast.harbour)
        newer = keep(cast.harbour, fields=PAT | {"address": "14 Quay Street"}, supersedes=older)
        assert newer.supersedes == older
        assert details_there(older)
        assert details_there(newer)
        with pytest.raises(SupersededAlready):
            keep(cast.harbour, supersedes=older)

    def test_a_caller_whose_entries_nobody_compares_is_told_so(self, cast: Cast) -> None:
        with pytest.raises(ValueError, match="register_personal_data_kind"):
            store_personal_details(
                casino=cast.harbour,
                subject=DISPUTE,
                reference="D-1",
                fields=PAT,
                carried_by="test-hearsay",
                actor=None,
                now=KEPT_AT,
            )

    def test_a_number_that_is_not_whole_is_refused_and_nothing_is_kept(self, cast: Cast) -> None:
        with pytest.raises(EntryError, match="/height"):
            keep(cast.harbour, fields={"height": 1.8})
        assert not PersonalRecord.objects.exists()

    def test_every_spelling_comes_back_as_it_was_given(self, cast: Cast) -> None:
        odd = {"name": "Zoë O’Connor 王\u2028", "quote": 'He said "no"\\', "tab": "\t", "numbers": [1, 2]}
        kept = keep(cast.harbour, fields=odd)
        assert (
            read_personal_details(cast.ines, cast.harbour, kept.pk, purpose=AccessPurpose.ANSWER, now=KEPT_AT).fields
            == odd
        )

    def test_details_fit_their_record_or_are_not_taken(self, cast: Cast) -> None:
        kept = keep(cast.harbour)
        with pytest.raises(DatabaseError, match="not the details of record"), transaction.atomic():
            connection.cursor().execute(
                "INSERT INTO patrons_personalfields (record_id, fields, salt) VALUES (%s, '{}', %s)",
                [kept.pk, bytes(32)],
            )

    def test_a_record_and_what_was_done_to_it_stays_as_it_was_written(self, cast: Cast, more: Overseers) -> None:
        kept = keep(cast.harbour)
        destroy_details(doomed=kept, reason="Kept by mistake", actor=more.aron, now=KEPT_AT)
        for table in ("personalrecord", "hold", "retentionrule", "destruction"):
            for statement in (f"DELETE FROM patrons_{table}", f"UPDATE patrons_{table} SET id = id"):
                with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
                    connection.cursor().execute(statement)


def test_every_casino_starts_with_nothing(cast: Cast) -> None:
    assert [destroy_due(casino=casino, now=KEPT_AT) for casino in Casino.objects.all()] == [0, 0]
