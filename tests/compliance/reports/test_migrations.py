"""Reports of an earlier release: a row of every former state gets the state of a job, and goes back."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from compliance.core.web.mail.outbox import enqueue_email
from compliance.core.web.models import OutgoingEmail
from compliance.notify.saved_views.models import SavedView
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.models import Report
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report

BEFORE = ("reports", "0008_emails_to_outbox")
FORMER = {"waiting": "waiting", "making": "running", "recorded": "running", "ready": "done", "failed": "failed"}
# Each a copy of a report that was made, with the columns that it had in that state.
INSERT = """
INSERT INTO reports_report (casino_id, kind, chosen, asked_by_id, asked_by_name, asked_at, state, attempts, done,
    failure, title, made_at, pages, pages_sha256, document_sha256, log, entry_index, records, file_bytes, file_sha256)
SELECT casino_id, kind, chosen, asked_by_id, asked_by_name, asked_at, former.state, 1, 7,
    CASE former.state WHEN 'failed' THEN 'No disk.' ELSE '' END, former.state, made_at, pages, pages_sha256,
    document_sha256, log, CASE WHEN former.state IN ('recorded', 'ready') THEN 1000 + number END, records, file_bytes,
    file_sha256
FROM reports_report, unnest(%s::text[]) WITH ORDINALITY AS former (state, number) WHERE reports_report.id = %s
"""
QUERIES = {
    "state=ready": "state=done",
    "words=x&state=making&sort=title": "words=x&state=running&sort=title",
    "state=recorded": "state=running",
    "state=failed": "state=failed",
    "words=state%3Dready": "words=state%3Dready",
}


def keep_views(office: ReviewScenario) -> None:
    for path in ("/casinos/harbour/reports/", "/casinos/harbour/notices/"):
        for query in QUERIES:
            SavedView.objects.create(
                owner=office.ines, casino=office.casino, path=path, query=query, name=query, kept_at=timezone.now()
            )


def queries(path: str) -> dict[str, str]:
    return dict(SavedView.objects.filter(path=path).values_list("name", "query"))


def former_states() -> dict[str, tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT title, state, failure FROM reports_report WHERE done = 7")
        return {title: (state, failure) for title, state, failure in cursor.fetchall()}


@pytest.mark.django_db(transaction=True)
def test_a_report_in_every_former_state_is_carried_over_and_back(committed_office: ReviewScenario) -> None:
    office = committed_office
    made = make_report(office, "certificate")
    call_command("migrate", *BEFORE, verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute(INSERT, [list(FORMER), made.pk])
        keep_views(office)
    finally:
        call_command("migrate", "reports", verbosity=0)
    made.refresh_from_db()
    assert (made.state, made.ended_at) == ("done", None), "it was ready, and when is not known"
    carried = {report.title: report for report in Report.objects.filter(done=7)}
    assert {title: report.state for title, report in carried.items()} == FORMER
    assert {title for title, report in carried.items() if report.is_recorded} == {"recorded", "ready"}
    assert {title: report.failure for title, report in carried.items() if report.failure} == {"failed": "No disk."}
    assert queries("/casinos/harbour/reports/") == QUERIES
    assert queries("/casinos/harbour/notices/") == {query: query for query in QUERIES}
    with pytest.raises(IntegrityError, match="does not become failed"), transaction.atomic():
        Report.objects.filter(title="recorded").update(state="failed", failure="No disk.")
    with pytest.raises(IntegrityError, match="does not become done"), transaction.atomic():
        Report.objects.filter(title="waiting").update(state="done")
    for ended_at in (None, "2026-11-16T12:00:00Z"):
        reference = {"report": carried["failed"].pk, "person": office.ines.pk, "ended_at": ended_at}
        enqueue_email("report", office.ines.email, reference, timezone.now())
    Report.objects.filter(title="waiting").update(state="cancelled", cancelled_by_name="Ines")

    call_command("migrate", *BEFORE, verbosity=0)
    try:
        assert former_states() == {title: (title, "") for title in FORMER} | {
            "waiting": ("failed", "Ines cancelled it before it was done."),
            "failed": ("failed", "No disk."),
        }
        assert queries("/casinos/harbour/reports/") == {
            query: "state=making" if query == "state=recorded" else query for query in QUERIES
        }
        assert OutgoingEmail.objects.filter(purpose="report").count() == 1
        with connection.cursor() as cursor, pytest.raises(IntegrityError, match="does not go from failed to making"):
            cursor.execute("UPDATE reports_report SET state = 'making' WHERE title = 'failed'")
    finally:
        call_command("migrate", "reports", verbosity=0)
    assert former_states()["recorded"] == ("running", "")
    generate_waiting_reports(timezone.now)
    assert Report.objects.get(title="recorded").state == "running", "its pages are missing, and it waits for them"
