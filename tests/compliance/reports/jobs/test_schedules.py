"""Scheduled reports: requested when a day or week is over, e-mailed as a link, paused and stopped by entries."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core import mail
from django.db import DatabaseError, transaction
from django.utils import timezone
from pytest_django import Settings

from compliance.core.accounts.roles import Role
from compliance.core.web.errors import NotFound
from compliance.core.web.mail.outbox import send_due_emails
from compliance.core.web.models import OutgoingEmail
from compliance.reports.errors import BadSchedule, ScheduledAlready, ScheduleMoved
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.jobs.request import retry_report
from compliance.reports.jobs.schedules import change_schedule_state, request_due_reports, schedule_report
from compliance.reports.models import Report, Schedule
from compliance.reports.states import ScheduleState
from rounds.floor.fact_values import GamingDayValue
from rounds.ledger.readers.consumer import read_entries_at
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.rounds.floor.crew import record_table_fact

# 16 November 2026, 1 pm in Sydney.
NOON = datetime(2026, 11, 16, 2, 0, tzinfo=UTC)
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
# The gaming day of the 16th ends at 6 am on the 17th; one hour is added for late lines.
OVER = datetime(2026, 11, 16, 20, 0, tzinfo=UTC)
PLACE = "/casinos/harbour/reports/schedules/"


def set_up(office: ReviewScenario, kind: str = "certificate", every: str = "day", **rest: object) -> Schedule:
    said: dict[str, object] = {"to": [Role.INSPECTOR, Role.COMPLIANCE_OFFICER], "actor": office.ines, "now": NOON}
    return schedule_report(casino=office.casino, kind=kind, every=every, **said | rest)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def cut_over(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path) -> None:
    office = request.getfixturevalue({"office", "committed_office"}.intersection(request.fixturenames).pop())
    record_table_fact(office.house.crew, None, GamingDayValue(cut_over="06:00"))
    settings.LEDGER_KEY_FILE = tmp_path / "keys" / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)


@pytest.mark.parametrize(
    ("every", "now", "days"),
    [
        ("day", OVER - SECOND, []),
        ("day", OVER, ["2026-11-16"]),
        ("day", OVER + 2 * DAY, ["2026-11-16", "2026-11-17", "2026-11-18"]),
        ("week", OVER + 6 * DAY - SECOND, []),
        ("week", OVER + 6 * DAY, ["2026-11-16"]),
    ],
)
def test_a_report_is_asked_for_once_when_its_time_is_over(
    every: str, now: datetime, days: list[str], office: ReviewScenario
) -> None:
    set_up(office, "notices", every)
    assert request_due_reports(now) == len(days)
    assert request_due_reports(now) == 0
    made = Report.objects.order_by("scheduled_on")
    assert [report.scheduled_on.isoformat() for report in made if report.scheduled_on] == days
    assert [report.chosen["first"] for report in made] == days
    if every == "week" and days:
        assert made[0].chosen["last"] == "2026-11-22"


def test_a_schedule_is_an_entry_and_so_is_each_change_of_it(office: ReviewScenario) -> None:
    schedule = set_up(office)
    [entry] = read_entries_at("harbour", [schedule.entry_index])
    assert (entry.kind, entry.content()) == ("report-scheduled", dict(schedule.entry_body()))
    paused = change_schedule_state(
        schedule=schedule, state=ScheduleState.PAUSED, reason="Holidays.", actor=office.cora, now=NOON + HOUR
    )
    assert request_due_reports(OVER + 3 * DAY) == 0
    resumed = change_schedule_state(
        schedule=paused, state=ScheduleState.ACTIVE, reason="Back.", actor=office.ines, now=OVER + 3 * DAY
    )
    assert resumed.next_on.isoformat() == "2026-11-20", "what the pause passed over is not made up for"
    stopped = change_schedule_state(
        schedule=resumed, state=ScheduleState.STOPPED, reason="No longer needed.", actor=office.cora, now=OVER + 4 * DAY
    )
    with pytest.raises(ScheduleMoved):
        change_schedule_state(
            schedule=stopped, state=ScheduleState.ACTIVE, reason="?", actor=office.ines, now=OVER + 5 * DAY
        )
    assert request_due_reports(OVER + 30 * DAY) == 0, "what is stopped asks for nothing, ever"
    assert not Report.objects.exists()
    steps = [(step.state, step.by_name, step.reason) for step in schedule.steps.all()]
    assert [step[0] for step in steps] == ["paused", "active", "stopped"]
    entries = read_entries_at("harbour", [step.entry_index for step in schedule.steps.all()])
    assert [entry.content()["reason"] for entry in entries] == ["Holidays.", "Back.", "No longer needed."]
    with pytest.raises(DatabaseError, match="never goes back"), transaction.atomic():
        Schedule.objects.filter(pk=schedule.pk).update(kind="daily")
    with pytest.raises(DatabaseError, match="does not become"), transaction.atomic():
        Schedule.objects.filter(pk=schedule.pk).update(state="active")


def test_what_cannot_be_scheduled(office: ReviewScenario) -> None:
    set_up(office, "daily")
    with pytest.raises(ScheduledAlready):
        set_up(office, "daily")
    with pytest.raises(BadSchedule):
        set_up(office, "round")
    with pytest.raises(BadSchedule, match="cannot be made by the week"):
        set_up(office, "daily", "week")
    for nobody in ([], [Role.MARKETING]):
        with pytest.raises(BadSchedule):
            set_up(office, "notices", to=nobody)
    with pytest.raises(NotFound):
        set_up(office, "notices", actor=office.sid)


def test_the_pages(office: ReviewScenario) -> None:
    page = browser_of(office.cora)
    assert b"No report is made by schedule yet." in page.get(PLACE).content
    typed = {"kind": "discrepancies", "every": "week"}
    assert b"Choose at least one role to be told." in page.post(f"{PLACE}new/", typed).content
    assert page.post(f"{PLACE}new/", typed | {"to": ["inspector"]}).status_code == 302
    schedule = Schedule.objects.get()
    listed = page.get(PLACE).content.decode()
    assert "Discrepancy report" in listed
    assert "Every week" in listed
    assert page.post(f"{PLACE}{schedule.pk}/paused/", {"reason": "Later."}).status_code == 302
    text = page.get(f"{PLACE}{schedule.pk}/").content.decode()
    for words in ("Paused", "Later.", "Resume", "Stop", "Inspector"):
        assert words in text, words
    assert page.get(f"{PLACE}{schedule.pk}/nonsense/").status_code == 404


def test_whoever_is_to_be_told_gets_a_link_and_nothing_else(committed_office: ReviewScenario) -> None:
    office = committed_office
    set_up(office, "discrepancies")
    request_due_reports(OVER)
    generate_waiting_reports(timezone.now)
    report = Report.objects.get()
    assert report.is_done, "a day without findings is reported as such"
    assert send_due_emails(timezone.now) == OutgoingEmail.objects.filter(purpose="report").count() > 2
    assert send_due_emails(timezone.now) == 0
    assert {message.to[0] for message in mail.outbox} >= {office.ines.email, office.iris.email, office.cora.email}
    assert office.sid.email not in {message.to[0] for message in mail.outbox}
    [letter] = [message for message in mail.outbox if message.to == [office.cora.email]]
    assert letter.subject == "Discrepancy report of Harbour Casino is ready"
    assert f"/casinos/harbour/reports/{report.pk}/" in letter.body
    assert letter.attachments == []


def test_a_report_that_is_tried_again_tells_each_time_how_it_ended(
    committed_office: ReviewScenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = committed_office
    monkeypatch.setattr("compliance.reports.jobs.size_limits.MAX_ROWS", -1)
    set_up(office, "discrepancies", to=[Role.COMPLIANCE_OFFICER])
    request_due_reports(OVER)
    for _ in ("by schedule", "tried again"):
        generate_waiting_reports(timezone.now)
        send_due_emails(timezone.now)
        retry_report(report=Report.objects.get(), actor=office.cora)
    assert "That is 0 findings; one report holds at most -1." in mail.outbox[0].body
    monkeypatch.setattr("compliance.reports.jobs.size_limits.MAX_ROWS", 1)
    generate_waiting_reports(timezone.now)
    send_due_emails(timezone.now)
    what = "Discrepancy report of Harbour Casino"
    assert [message.subject for message in mail.outbox if message.to == [office.cora.email]] == [
        f"{what} could not be made",
        f"{what} could not be made",
        f"{what} is ready",
    ]


def test_an_e_mail_not_sent_before_its_report_was_tried_again_is_withheld(committed_office: ReviewScenario) -> None:
    office = committed_office
    set_up(office, "discrepancies", to=[Role.COMPLIANCE_OFFICER])
    request_due_reports(OVER)
    Report.objects.update(state="running", attempts=3)
    generate_waiting_reports(timezone.now)
    first = list(OutgoingEmail.objects.filter(purpose="report"))
    assert first, "one that was lost three times tells as well"
    retry_report(report=Report.objects.get(), actor=office.cora)
    assert send_due_emails(timezone.now) == 0
    assert {email.state for email in OutgoingEmail.objects.filter(pk__in=[email.pk for email in first])} == {"withheld"}
    generate_waiting_reports(timezone.now)
    send_due_emails(timezone.now)
    assert {message.subject for message in mail.outbox} == {"Discrepancy report of Harbour Casino is ready"}
