"""The e-mail outbox: written with its cause, sent once, retried with back-off, given up visibly, deleted in time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.core.mail import EmailMessage
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Q
from pytest_django import Settings

from compliance.core.web.health import check_outbox
from compliance.core.web.mail import outbox
from compliance.core.web.mail.outbox import (
    BATCH_SIZE,
    MAX_ATTEMPTS,
    RETENTION,
    RETRY_DELAYS,
    EmailPurpose,
    delete_old_emails,
    enqueue_email,
    send_due_emails,
)
from compliance.core.web.models import EMAIL_TRANSITIONS, EmailState, OutgoingEmail
from tests.compliance.core.web.mail.mail_server import Mailbox, mail_server

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def mailbox(settings: Settings) -> Iterator[Mailbox]:
    with mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 20
        yield server


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str, datetime]]:
    """Registers the purpose `test`; the list gets what its hook is told."""
    told: list[tuple[int, str, datetime]] = []

    def render(email: OutgoingEmail) -> EmailMessage | None:
        if email.reference.get("fails"):
            raise KeyError("gone")
        return None if email.reference.get("withheld") else EmailMessage("A subject", f"Token {email.secret}.")

    def note(email: OutgoingEmail, now: datetime) -> None:
        told.append((email.attempts, email.last_error, now))

    purpose = EmailPurpose("test", render, lambda: Q(reference__held=True), note)
    monkeypatch.setattr(outbox, "_purposes", {"test": purpose})
    return told


def enqueue(secret: str = "", **reference: object) -> OutgoingEmail:
    return enqueue_email("test", "ines@example.com", {"held": False, **reference}, NOON, secret=secret)


def send(seconds: float = 0) -> int:
    return send_due_emails(lambda: NOON + timedelta(seconds=seconds))


@pytest.mark.django_db
def test_an_e_mail_is_sent_once_and_its_token_is_not_kept(mailbox: Mailbox, attempts: list[object]) -> None:
    email = enqueue("secret-token", number=1)
    assert (send(), send(1)) == (1, 0)
    [message] = mailbox.messages
    assert (message["To"], message["Message-ID"]) == ("ines@example.com", f"<test.{email.pk}@localhost>")
    assert "Token secret-token." in str(message.get_payload())
    email.refresh_from_db()
    assert (email.state, email.sent_at, email.secret) == ("sent", NOON, "")
    assert attempts == [(1, "", NOON)]


@pytest.mark.django_db
def test_a_transaction_that_fails_sends_nothing(mailbox: Mailbox, attempts: list[object]) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        enqueue()
        raise RuntimeError
    assert send() == 0
    assert mailbox.messages == []


@pytest.mark.django_db
def test_a_refused_e_mail_is_retried_with_growing_delays_and_given_up(
    mailbox: Mailbox, attempts: list[tuple[int, str, datetime]]
) -> None:
    email = enqueue("secret-token")
    mailbox.is_refusing = True
    at = 0.0
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert send(at - 0.1) == send(at) == 0
        email.refresh_from_db()
        assert (email.attempts, email.last_error) == (attempt, "The mail server refused it (451).")
        at += RETRY_DELAYS[min(attempt, len(RETRY_DELAYS)) - 1].total_seconds()
    assert (email.state, email.secret) == ("given-up", "")
    assert [number for number, _, _ in attempts] == list(range(1, MAX_ATTEMPTS + 1))
    mailbox.is_refusing = False
    assert send(10**7) == 0


@pytest.mark.django_db
def test_one_that_cannot_be_rendered_does_not_stop_the_others(mailbox: Mailbox, attempts: list[object]) -> None:
    broken = enqueue(fails=True)
    enqueue_email("of-another-release", "a@example.com", {}, NOON)
    enqueue(number=2)
    assert send() == 1
    waiting = OutgoingEmail.objects.filter(state="waiting")
    assert {(email.purpose, email.attempts, email.last_error) for email in waiting} == {
        ("test", 1, "It could not be prepared (KeyError)."),
        ("of-another-release", 1, "It could not be prepared (KeyError)."),
    }
    broken.refresh_from_db()
    assert broken.next_try_at == NOON + RETRY_DELAYS[0]


@pytest.mark.django_db
def test_what_is_withheld_or_held_back_is_not_sent(mailbox: Mailbox, attempts: list[object]) -> None:
    withheld, held = enqueue("token", withheld=True), enqueue(held=True)
    assert send() == 0
    withheld.refresh_from_db()
    held.refresh_from_db()
    assert (withheld.state, withheld.secret) == ("withheld", "")
    assert (held.state, held.attempts) == ("waiting", 0)


@pytest.mark.django_db
def test_a_batch_that_is_held_back_keeps_nobody_else_waiting(mailbox: Mailbox, attempts: list[object]) -> None:
    for number in range(BATCH_SIZE):
        enqueue(held=True, number=number)
    enqueue()
    assert send() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_each_e_mail_once(mailbox: Mailbox, attempts: list[object]) -> None:
    emails = 12
    for number in range(emails):
        enqueue(number=number)

    def work() -> int:
        try:
            return send()
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as workers:
        sent = [worker.result(60) for worker in [workers.submit(work) for _ in range(3)]]
    assert sum(sent) == len(mailbox.messages) == len({message["Message-ID"] for message in mailbox.messages}) == emails


@pytest.mark.django_db
def test_what_is_over_is_deleted_after_ninety_days(mailbox: Mailbox, attempts: list[object]) -> None:
    enqueue(number=1)
    send()
    waiting = enqueue(number=2)
    delete_old_emails(NOON + RETENTION)
    assert OutgoingEmail.objects.count() == 2
    delete_old_emails(NOON + RETENTION + SECOND)
    assert OutgoingEmail.objects.get() == waiting


@pytest.mark.django_db
def test_the_status_page_shows_late_failing_and_given_up_e_mails(mailbox: Mailbox, attempts: list[object]) -> None:
    email = enqueue()
    minute = timedelta(minutes=1)
    assert check_outbox(NOON + minute - SECOND).is_ok
    assert check_outbox(NOON + minute).detail.startswith("1 e-mails are late, 0 could not be delivered yet, 0 were ")
    mailbox.is_refusing = True
    send()
    assert check_outbox(NOON).detail.startswith("0 e-mails are late, 1 could not be delivered yet, 0 were ")
    OutgoingEmail.objects.update(attempts=MAX_ATTEMPTS - 1)
    send(100)
    email.refresh_from_db()
    assert "1 were given up in the last 7 days." in check_outbox(NOON).detail
    assert not check_outbox(email.next_try_at + timedelta(days=7) - SECOND).is_ok
    assert check_outbox(email.next_try_at + timedelta(days=7)).is_ok


@pytest.mark.django_db
def test_the_database_keeps_an_e_mail_and_the_transitions() -> None:
    email = enqueue("token", number=1)
    changes: list[dict[str, object]] = [{"to": "x@example.com"}, {"reference": {}}, {"secret": "other"}]
    for change in changes:
        with pytest.raises(DatabaseError, match="stays as it was written"), transaction.atomic():
            OutgoingEmail.objects.filter(pk=email.pk).update(**change)
    with pytest.raises(IntegrityError, match="web_email_once"), transaction.atomic():
        enqueue(number=1)
    with pytest.raises(IntegrityError, match="web_email_secret_deleted"), transaction.atomic():
        OutgoingEmail.objects.filter(pk=email.pk).update(state="given-up")


@pytest.mark.django_db
@pytest.mark.parametrize("before", EmailState)
@pytest.mark.parametrize("after", EmailState)
def test_the_database_has_the_same_table_of_transitions(before: EmailState, after: EmailState) -> None:
    email = OutgoingEmail.objects.create(
        purpose="test",
        to="ines@example.com",
        reference={},
        created_at=NOON,
        next_try_at=NOON,
        state=before,
        sent_at=NOON if before == EmailState.SENT else None,
    )
    try:
        with transaction.atomic():
            sent_at = NOON if after == EmailState.SENT else None
            OutgoingEmail.objects.filter(pk=email.pk).update(state=after, sent_at=sent_at)
        is_allowed = True
    except DatabaseError:
        is_allowed = False
    assert is_allowed == (after in EMAIL_TRANSITIONS[before] or before == after == EmailState.WAITING)
