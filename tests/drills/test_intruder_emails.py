"""A script or a header injection in texts that e-mails contain: every e-mail is plain text with one subject."""

import email
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from pytest_django import Settings

from compliance.config.environment import PROJECT
from compliance.core.accounts.emails import queue_event_notice, queue_invitation, queue_password_reset
from compliance.core.accounts.models import AccountEvent, Casino, Invitation, User
from compliance.core.accounts.roles import Role
from compliance.core.web.mail.outbox import enqueue_email, send_due_emails
from compliance.core.web.models import OutgoingEmail
from compliance.disputes.models import Dispute
from compliance.disputes.services.resolution import send_advice
from compliance.notify.alerts.services import raise_alert
from compliance.notify.saved_views.models import MessagePart, NewRowsMessage, SavedView, Subscription
from compliance.notify.saved_views.states import Frequency
from compliance.reports.models import Report, Schedule
from promotions.terms.models import TermsVersion
from tests.compliance.core.accounts.people import LONG_AGO, found_casino, hire
from tests.drills.support.full_length import count_in_tally
from tests.drills.support.marked_texts import MARK, SHORTEST, MarkedWorld
from tests.drills.test_intruder_texts import marked_places

__all__ = ["marked_places"]

SITE = "https://fairthrow.example"
NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
HEADERS = {"Subject", "From", "To", "Date", "Message-ID", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"}
OF_NEWS = {"List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted"}
# Whatever some program takes for a line end, and bidirectional overrides.
BREAKS = ("\r", "\n", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\u202e", "\x1b[2J")


@pytest.fixture(autouse=True)
def outbox(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def an_invitation() -> None:
    invitation = Invitation.objects.open()[0]
    queue_invitation(invitation, "token", SITE, LONG_AGO)


def a_reset() -> None:
    event = AccountEvent.objects.filter(subject__is_active=True)[0]
    assert event.subject is not None
    queue_password_reset(event, event.subject, SITE)


def a_notice() -> None:
    event = AccountEvent.objects.exclude(subject=None).exclude(detail="")[0]
    assert event.subject is not None
    queue_event_notice(event, event.subject)


def a_report_by_schedule() -> None:
    schedule = Schedule.objects.all()[0]
    report = Report.objects.create(
        casino=schedule.casino,
        kind="certificate",
        chosen={},
        title=MARK,
        asked_by=schedule.by,
        asked_by_name=MARK,
        asked_at=LONG_AGO,
        schedule=schedule,
        scheduled_on=LONG_AGO.date(),
    )
    first = User.objects.order_by("pk")[0]
    enqueue_email("report", first.email, {"report": report.pk, "person": first.pk}, LONG_AGO)


def what_is_new_in_a_view() -> None:
    view = SavedView.objects.all()[0]
    times = {"asked_at": LONG_AGO, "looked_at": LONG_AGO, "next_look_at": LONG_AGO}
    told = Subscription.objects.create(view=view, person=view.owner, every=Frequency.DAY, **times)
    email = enqueue_email("saved-view", view.owner.email, {"person": view.owner.pk}, LONG_AGO)
    message = NewRowsMessage.objects.create(person=view.owner, made_at=LONG_AGO, email=email)
    MessagePart.objects.create(message=message, subscription=told, new=2, together=3)


def a_filing() -> None:
    version, first = TermsVersion.objects.all()[0], User.objects.order_by("pk")[0]
    reference = {
        "promotion": version.promotion_id,
        "version": version.number,
        "person": first.pk,
        "is_decision": False,
    }
    enqueue_email("terms-notice", first.email, reference, LONG_AGO)


# One e-mail of each template.
LETTERS: dict[str, Callable[[], object]] = {
    # First: its e-mails are in the outbox already, and each of the others empties it.
    "alerts/emails/alert.txt": lambda: None,
    "accounts/emails/invitation.txt": an_invitation,
    "accounts/emails/password-reset.txt": a_reset,
    "accounts/emails/notice.txt": a_notice,
    "disputes/emails/advice.txt": lambda: send_advice(Dispute.objects.all()[0], "patron@example.com"),
    "reports/emails/ready.txt": a_report_by_schedule,
    "saved_views/emails/news.txt": what_is_new_in_a_view,
    "terms/emails/terms.txt": a_filing,
}


def parts_of(message: EmailMessage) -> tuple[list[str], str]:
    """As a mail server parses it: the names of its headers, and its body."""
    read = email.message_from_bytes(message.message().as_bytes())
    said = read.get_payload(decode=True)
    assert isinstance(said, bytes)
    assert not read.is_multipart()
    assert read.get_content_type() == "text/plain"
    return list(read.keys()), said.decode()


def test_every_kind_of_letter_is_written_here() -> None:
    templates = PROJECT / "templates"
    assert {str(path.relative_to(templates)) for path in templates.rglob("*.txt")} == set(LETTERS)
    unescaped = [name for name in LETTERS if "{% autoescape off %}" in (templates / name).read_text()]
    assert unescaped == list(LETTERS)


def test_every_letter_says_it_as_it_was_typed(marked_places: MarkedWorld) -> None:
    for template, send in LETTERS.items():
        mail.outbox.clear()
        OutgoingEmail.objects.exclude(purpose="alert").delete()
        send()
        send_due_emails(lambda: NOW)
        assert mail.outbox, template
        for message in mail.outbox:
            headers, said = parts_of(message)
            assert set(headers) - OF_NEWS == HEADERS
            assert len(headers) == len(set(headers))
            assert SHORTEST in said, template
            assert "&lt;" not in said + message.subject, template
        count_in_tally("letters of marked texts", len(mail.outbox))


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
def test_no_name_ends_a_header_or_holds_up_the_letters_of_others(db: None, end: str) -> None:
    casino, ada = found_casino("harbour", f"Harbour{end}Bcc: evil@example.com", "Australia/Sydney", "ada")
    hire("ines", casino, Role.INSPECTOR, by=ada)
    for table in (f"Table 1{end}Bcc: evil@example.com", f"Table 2{end}\xe9", "Table 3"):
        raise_alert(
            casino=casino,
            duty="equipment-fault",
            to=Role.INSPECTOR,
            statement=f"{table}: the lights failed.",
            clause="8.8",
            now=LONG_AGO,
        )
    assert send_due_emails(lambda: LONG_AGO) == 3
    for message in mail.outbox:
        headers, said = parts_of(message)
        assert set(headers) == HEADERS
        assert len(headers) == len(set(headers))
        assert message.subject.isprintable()
        assert "the lights failed" in said
    assert Casino.objects.get().name in mail.outbox[0].body


def test_no_e_mail_is_made_of_html() -> None:
    roots = ("compliance", "rounds", "promotions")
    sources = [path.read_text() for root in roots for path in (PROJECT / root).rglob("*.py")]
    assert [one for one in sources if "html_message" in one or "EmailMultiAlternatives" in one] == []
