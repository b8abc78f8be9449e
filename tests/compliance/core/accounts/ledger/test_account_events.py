"""Account events: recorded, append-only, and e-mailed to the person concerned."""

import pytest
from django.core import mail
from django.db import DatabaseError, IntegrityError, connection, transaction
from pytest_django import Settings

from compliance.config.database_roles import as_owner
from compliance.core.accounts.ledger.account_events import record_event
from compliance.core.accounts.models import AccountEvent, EventKind, User
from compliance.core.accounts.services import disable_person
from compliance.core.web.mail.outbox import send_due_emails
from tests.compliance.core.accounts.people import LONG_AGO, Cast, browser_of


def test_the_app_role_can_neither_change_nor_delete_an_event(cast: Cast) -> None:
    event = AccountEvent.objects.earliest("pk")
    for statement in (
        "UPDATE accounts_accountevent SET detail = 'nothing happened'",
        "DELETE FROM accounts_accountevent",
        "TRUNCATE accounts_accountevent",
    ):
        with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
            connection.cursor().execute(statement)
    assert record_event(EventKind.SIGNED_IN, at=LONG_AGO, subject=cast.ines).pk
    event.refresh_from_db()


@pytest.mark.django_db(transaction=True)
def test_not_even_the_owner_can() -> None:
    record_event(EventKind.SIGNED_IN, at=LONG_AGO)
    with as_owner():
        for statement in (
            "UPDATE accounts_accountevent SET detail = 'nothing happened'",
            "DELETE FROM accounts_accountevent",
            "TRUNCATE accounts_accountevent CASCADE",
        ):
            with pytest.raises(IntegrityError, match="kept as it was written"):
                connection.cursor().execute(statement)
    assert AccountEvent.objects.get().detail == ""


@pytest.mark.parametrize("table", ["accounts_user", "accounts_casino", "accounts_invitation", "accounts_roleheld"])
def test_nothing_that_was_signed_can_lose_its_name(cast: Cast, table: str) -> None:
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        connection.cursor().execute(f"DELETE FROM {table}")
    assert User.objects.count() == 7


def test_a_person_is_told_what_was_done_to_their_account(cast: Cast, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    disable_person(subject=cast.ines, casino=cast.harbour, reason="Lost badge & card", actor=cast.gail, now=LONG_AGO)
    send_due_emails(lambda: LONG_AGO)
    letter = mail.outbox[-1]
    assert letter.to == ["ines@example.com"]
    assert letter.subject == "Fairthrow: account disabled"
    assert "Account disabled: Lost badge & card" in letter.body
    assert "By: Gail" in letter.body
    assert "2 Mar 2026, 8:00 pm AEDT" in letter.body


def test_people_see_their_own_sign_ins_and_an_administrator_sees_the_record(cast: Cast) -> None:
    record_event(EventKind.SIGN_IN_FAILED, at=LONG_AGO, subject=cast.ines, address="203.0.113.9")
    assert "203.0.113.9" in browser_of(cast.ines).get("/account/").content.decode()
    assert "203.0.113.9" not in browser_of(cast.mara).get("/account/").content.decode()
    page = browser_of(cast.gail).get(f"/casinos/harbour/people/{cast.ines.pk}/").content.decode()
    assert "203.0.113.9" in page
    assert "Sign-in failed" in page


def test_an_entry_names_people_by_number_and_name_and_never_by_their_address(cast: Cast) -> None:
    assert cast.ines.as_entry_reference() == {"id": cast.ines.pk, "name": "Ines"}
