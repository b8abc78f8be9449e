"""From the fact to the acknowledgement: raised with its outbox, e-mailed, retried, escalated, acknowledged."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, InternalError, ProgrammingError, transaction

from compliance.core.accounts.roles import Role
from compliance.core.accounts.services.roles import give_role
from compliance.core.web.errors import NotFound
from compliance.core.web.mail.outbox import MAX_ATTEMPTS, send_due_emails
from compliance.core.web.models import OutgoingEmail
from compliance.core.web.tasks import send_emails
from compliance.notify.alerts.errors import AcknowledgedAlready, BadLadder, EscalationTooLate, NotAddressed
from compliance.notify.alerts.ladder import EscalationRung
from compliance.notify.alerts.mailer import escalate_due
from compliance.notify.alerts.models import Alert, AlertStep
from compliance.notify.alerts.response_time import format_duration, response_times
from compliance.notify.alerts.selectors import Notification, notification_of_entry
from compliance.notify.alerts.services import acknowledge_alert, raise_alert, set_ladder
from compliance.notify.alerts.tasks import escalate_alerts
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.readers.search import size_of
from tests.compliance.core.accounts.people import LONG_AGO, government_administrator
from tests.compliance.core.web.mail.mail_server import Mailbox
from tests.compliance.notify.alerts.alert_scenario import FAILED_AT, House, after, lights_failed

SIX_KINDS = {
    "alert-raised",
    "alert-sent",
    "alert-failed",
    "alert-escalated",
    "alert-acknowledged",
    "alert-ladder-set",
}


def deliver(seconds: float) -> int:
    return send_due_emails(lambda: after(seconds))


def escalate(seconds: float) -> int:
    return escalate_due(lambda: after(seconds))


def told(alert: Alert) -> list[tuple[str, str, int]]:
    return [(step.step, step.person_name, step.level) for step in alert.steps.all()]


def kinds_recorded() -> list[str]:
    return [entry.kind for entry in read_entries("harbour", 0, size_of("harbour")) if entry.kind in SIX_KINDS]


def test_everybody_who_must_be_told_is_told_once_however_often_the_bell_rings(house: House, mailbox: Mailbox) -> None:
    alert = lights_failed(house)
    assert OutgoingEmail.objects.filter(state="waiting").count() == 2
    assert deliver(1) == 2
    assert deliver(2) == 0
    assert mailbox.recipients == ["ines@example.com", "ivan@example.com"]
    letter = str(mailbox.messages[0].get_payload())
    assert "The winning areas of SB-1 were not lit." in letter
    assert "By clause: 8.8" in letter
    assert "It happened: 16 Nov 2026, 8:30 pm AEDT" in letter
    assert f"/casinos/harbour/alerts/{alert.entry_index}/" in letter
    assert kinds_recorded() == ["alert-raised", "alert-sent", "alert-sent"]


def test_an_act_that_fails_tells_nobody(house: House, mailbox: Mailbox) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        lights_failed(house)
        raise RuntimeError
    assert (Alert.objects.count(), OutgoingEmail.objects.count(), kinds_recorded()) == (0, 0, [])
    assert deliver(1) == 0


def test_the_entry_says_all_but_nobodys_address(house: House) -> None:
    alert = lights_failed(house, actor=house.sam, about=("harbour", 3))
    [entry] = read_entries("harbour", alert.entry_index, alert.entry_index + 1)
    assert entry.table == "sb-1"
    assert entry.content() == {
        "duty": "equipment-fault",
        "to": ["inspector"],
        "statement": "The winning areas of SB-1 were not lit.",
        "clause": "8.8",
        "table": "sb-1",
        "about": {"log": "harbour", "index": 3},
        "fact_at": "2026-11-16T09:30:00.000000Z",
        "at": "2026-11-16T09:30:00.400000Z",
        "by": {"id": house.sam.pk, "name": "Sam"},
        "immediately": True,
    }


def test_a_refused_e_mail_is_tried_again_and_each_failure_recorded(house: House, mailbox: Mailbox) -> None:
    alert = lights_failed(house)
    mailbox.is_refusing = True
    assert deliver(1) == 0
    assert deliver(10.9) == 0, "the first wait is ten seconds"
    assert AlertStep.objects.filter(step="failed").count() == 2
    assert deliver(11.1) == 0
    failed = AlertStep.objects.filter(step="failed")
    assert [(step.attempt, step.detail) for step in failed.filter(person=house.ines)] == [
        (1, "The mail server refused it (451)."),
        (2, "The mail server refused it (451)."),
    ]
    mailbox.is_refusing = False
    assert deliver(41) == 0, "the second wait is thirty seconds"
    assert deliver(42) == 2
    alert.refresh_from_db()
    assert alert.delivered_at == after(42)
    assert [each.text for each in response_times(alert)] == ["0.4 s", "42 s", "Not yet"]


def test_a_mail_server_that_is_away_does_not_stop_the_others(house: House, mailbox: Mailbox, settings: object) -> None:
    settings.EMAIL_PORT = 1  # type: ignore[attr-defined]
    lights_failed(house)
    assert deliver(1) == 0
    details = set(AlertStep.objects.filter(step="failed").values_list("detail", flat=True))
    assert details == {"The mail server could not be reached (ConnectionRefusedError)."}


def test_after_the_last_try_it_is_given_up_and_the_alert_still_stands(house: House, mailbox: Mailbox) -> None:
    alert = lights_failed(house)
    mailbox.is_refusing = True
    for attempt in range(MAX_ATTEMPTS):
        deliver(1 + attempt * 601)
    assert set(OutgoingEmail.objects.values_list("state", "attempts")) == {("given-up", 20)}
    mailbox.is_refusing = False
    assert deliver(10**6) == 0
    alert.refresh_from_db()
    assert alert.is_waiting


@pytest.mark.parametrize(("seconds", "rungs"), [(300.3, 0), (300.4, 1), (900.3, 1), (900.4, 2)])
def test_the_ladder_is_climbed_five_and_fifteen_minutes_after_the_alert(
    seconds: float, rungs: int, house: House
) -> None:
    """Raised at 0.4 s. However late the workers are, each rung is climbed once."""
    alert = lights_failed(house)
    assert escalate(seconds) == rungs
    assert escalate(seconds) == 0
    alert.refresh_from_db()
    assert alert.level == rungs
    assert [step.roles for step in alert.steps.filter(step="escalated")] == [
        ["shift-manager", "compliance-officer"],
        ["authority-officer", "casino-supervisor"],
    ][:rungs]


def test_escalation_reminds_those_who_had_to_be_told_and_tells_the_next(house: House, mailbox: Mailbox) -> None:
    alert = lights_failed(house)
    deliver(1)
    assert escalate(301) == 1
    assert deliver(302) == 4
    assert [row for row in told(alert) if row[0] == "sent" and row[2] == 1] == [
        ("sent", name, 1) for name in ("Ines", "Ivan", "Shirin", "Cora")
    ]
    assert str(mailbox.messages[-1]["Subject"]).startswith("Not acknowledged yet: ")


def test_where_nobody_holds_the_role_the_next_are_told_at_once(house: House, mailbox: Mailbox) -> None:
    alert = lights_failed(house, to=Role.AUTHORITY_OFFICER)
    assert told(alert) == [("failed", "", 0)]
    assert alert.steps.get().detail == "Nobody here is authority officer."
    assert escalate(1) == 1
    assert deliver(1) == 2
    assert mailbox.recipients == ["cora@example.com", "shirin@example.com"]
    alert.refresh_from_db()
    assert alert.delivered_at is None, "those whom the rules name were not told"
    assert response_times(alert)[1].text == "Not yet"


def test_telling_the_next_is_not_telling_the_inspector(house: House, mailbox: Mailbox) -> None:
    """The inspectors' e-mails are refused; the shift manager and the compliance officer get theirs."""
    alert = lights_failed(house, about=("harbour", 3))
    mailbox.is_refusing = True
    deliver(1)
    mailbox.is_refusing = False
    OutgoingEmail.objects.filter(reference__role="inspector", state="waiting").update(next_try_at=after(10_000))
    escalate(301)
    OutgoingEmail.objects.filter(reference__role="inspector", state="waiting").update(next_try_at=after(10_000))
    assert deliver(302) == 2
    assert notification_of_entry("harbour", 3) == Notification(told_at=None, open_since=None)
    assert deliver(10_001) == 4
    assert notification_of_entry("harbour", 3).told_at == after(10_001)
    alert.refresh_from_db()
    assert response_times(alert)[1].text == "2 h 46 min"


def test_one_who_holds_both_roles_is_told_as_whom_the_rules_name(house: House, mailbox: Mailbox) -> None:
    gail = government_administrator()
    give_role(subject=house.ivan, casino=house.harbour, role=Role.AUTHORITY_OFFICER, actor=gail, now=LONG_AGO)
    alert = lights_failed(house)
    escalate(901)
    his = OutgoingEmail.objects.filter(reference__alert=alert.entry_index, to=house.ivan.email)
    assert {email.reference["role"] for email in his} == {"inspector"}


def test_one_person_acknowledges_in_their_name_and_the_ladder_stops(house: House) -> None:
    alert = lights_failed(house)
    acknowledged = acknowledge_alert(alert=alert, actor=house.ines, now=after(200))
    assert (acknowledged.acknowledged_by_name, acknowledged.is_waiting) == ("Ines", False)
    assert escalate(10**6) == 0
    step = alert.steps.get(step="acknowledged")
    assert (step.person, step.roles, step.at) == (house.ines, ["inspector"], after(200))
    assert response_times(acknowledged)[-1].text == "3 min 20 s"
    with pytest.raises(AcknowledgedAlready, match="Ines acknowledged it before you"):
        acknowledge_alert(alert=alert, actor=house.ivan, now=after(201))
    assert kinds_recorded() == ["alert-raised", "alert-acknowledged"]


def test_the_house_cannot_acknowledge_for_the_government(house: House) -> None:
    alert = lights_failed(house)
    escalate(301)
    for person in (house.sam, house.shirin, house.cora, house.ada, house.otto):
        with pytest.raises(NotAddressed):
            acknowledge_alert(alert=alert, actor=person, now=after(302))
    to_the_house = lights_failed(house, to=Role.SHIFT_MANAGER)
    escalate(700)
    assert acknowledge_alert(alert=to_the_house, actor=house.cora, now=after(701)).acknowledged_by_name == "Cora"


def test_a_casino_sets_its_own_ladder_for_what_is_raised_later(house: House) -> None:
    before = lights_failed(house)
    rungs = [EscalationRung(2, (Role.SHIFT_MANAGER,)), EscalationRung(4, (Role.COMPLIANCE_OFFICER,))]
    said = {"casino": house.harbour, "immediately": True, "reason": "A small floor.", "now": after(1)}
    with pytest.raises(NotFound):
        set_ladder(rungs=rungs, actor=house.sam, **said)  # type: ignore[arg-type]
    for bad in ([], [rungs[1], rungs[0]], [EscalationRung(2, ())], [EscalationRung(0, (Role.SHIFT_MANAGER,))]):
        with pytest.raises(BadLadder):
            set_ladder(rungs=bad, actor=house.cora, **said)  # type: ignore[arg-type]
    patient = [EscalationRung(16, (Role.SHIFT_MANAGER,)), EscalationRung(20, (Role.COMPLIANCE_OFFICER,))]
    with pytest.raises(EscalationTooLate):
        set_ladder(rungs=patient, actor=house.cora, **said)  # type: ignore[arg-type]
    set_ladder(rungs=patient, actor=house.cora, **said | {"immediately": False})  # type: ignore[arg-type]
    set_ladder(rungs=rungs, actor=house.cora, **said)  # type: ignore[arg-type]
    later = lights_failed(house, now=after(2))
    assert escalate(122.1) == 1
    assert [alert.level for alert in Alert.objects.order_by("pk")] == [0, 1]
    assert before.raised_at < later.raised_at


def test_the_database_keeps_what_was_raised_and_told(house: House) -> None:
    alert = lights_failed(house)
    acknowledge_alert(alert=alert, actor=house.ines, now=after(5))
    changes: list[Callable[[], object]] = [
        lambda: Alert.objects.filter(pk=alert.pk).update(statement="Nothing happened."),
        lambda: Alert.objects.filter(pk=alert.pk).update(
            state="waiting", acknowledged_at=None, acknowledged_by_name=""
        ),
        lambda: Alert.objects.filter(pk=alert.pk).update(acknowledged_by_name="Ivan"),
        lambda: AlertStep.objects.filter(alert=alert).update(detail="Told."),
        lambda: AlertStep.objects.filter(alert=alert).delete(),
        lambda: Alert.objects.filter(pk=alert.pk)._raw_delete("default"),
    ]
    for change in changes:
        with pytest.raises((IntegrityError, InternalError, ProgrammingError)), transaction.atomic():
            change()


def test_the_bell_does_all_of_it(house: House, mailbox: Mailbox) -> None:
    """With the real clock: raised long ago, so both rungs are due and everybody is notified in one run."""
    lights_failed(house, now=LONG_AGO)
    for task in (escalate_alerts, send_emails, escalate_alerts, send_emails):
        task()
    assert sorted(set(mailbox.recipients)) == [
        f"{name}@example.com" for name in ("cora", "ines", "ivan", "sam", "shirin")
    ]
    assert len(mailbox.recipients) == 2 + 4 + 5


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0.0 s"), (9.94, "9.9 s"), (59.9, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (7500, "2 h 5 min")],
)
def test_durations_as_people_read_them(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words


def test_an_alert_says_to_whom_of_what_and_why(house: House) -> None:
    with pytest.raises(ValueError, match="by which clause"):
        raise_alert(casino=house.harbour, duty="x", to=(), statement="A.", clause="8.8", now=FAILED_AT)
