"""Generating reports: cancelled in time or not at all, tried again, and completed once they are recorded."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from compliance.core.web.errors import NotFound
from compliance.core.web.jobs import runner
from compliance.core.web.jobs.job import JobEnded, JobNotEnded
from compliance.reports.jobs import generate
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.jobs.request import cancel_report, request_report, retry_report
from compliance.reports.models import Report
from rounds.ledger.readers.search import EntryQuery, search_entries
from rounds.ledger.readers.search_index import index_new_entries
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.jobs.cancelling_clock import cancelling_clock
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import verify_offline

LIST = "/casinos/harbour/reports/"
CANCELLED = "Ines cancelled it before it was done."


def queue(office: ReviewScenario) -> Report:
    return request_report(casino=office.casino, kind="certificate", chosen={}, actor=office.ines, now=timezone.now())


def recorded_reports() -> int:
    while index_new_entries("harbour"):
        pass
    return len(search_entries("harbour", EntryQuery(kind="report-made")).entries)


def test_a_report_that_waits_is_cancelled_and_made_after_all(
    committed_office: ReviewScenario, reports_dir: Path
) -> None:
    office = committed_office
    report, ines, sid = queue(office), browser_of(office.ines), browser_of(office.sid)
    page = f"{LIST}{report.pk}/"
    assert f'action="{page}cancel/"' in ines.get(page).content.decode()
    assert sid.post(f"{page}cancel/").status_code == 404
    answer = ines.post(f"{page}cancel/", follow=True)
    assert answer.redirect_chain == [(page, 302)]
    shown = answer.content.decode()
    for words in ("The report is cancelled.", CANCELLED, "Cancelled", f'action="{page}retry/"'):
        assert words in shown, words
    assert f'action="{page}cancel/"' not in shown
    assert ines.post(f"{page}cancel/").status_code == 409, "submitted twice"
    generate_waiting_reports(timezone.now)
    assert (recorded_reports(), reports_dir.exists()) == (0, False)
    assert sid.post(f"{page}retry/").status_code == 404
    answer = ines.post(f"{page}retry/", follow=True)
    assert answer.redirect_chain == [(page, 302)]
    assert "The report is made again." in answer.content.decode()
    assert ines.post(f"{page}retry/").status_code == 409, "submitted twice"
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.is_done, report.attempts, report.cancelled_by_name) == (True, 1, "")
    assert ines.post(f"{page}retry/").status_code == 409
    assert ines.post(f"{page}cancel/").status_code == 409
    assert "retry/" not in ines.get(page).content.decode()
    assert verify_offline(report.path(".pdf")).returncode == 0


def test_those_who_may_not_request_it_neither_cancel_nor_retry_it(committed_office: ReviewScenario) -> None:
    office = committed_office
    report = queue(office)
    for person in (office.sid, office.house.crew.cast.mara, office.house.crew.cast.otto):
        with pytest.raises(NotFound):
            cancel_report(report=report, actor=person, now=timezone.now())
    cancel_report(report=report, actor=office.cora, now=timezone.now())
    with pytest.raises(NotFound):
        retry_report(report=report, actor=office.sid)


@pytest.mark.parametrize(
    ("interval", "call"), [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 4)], ids=lambda value: str(value)
)
def test_a_report_cancelled_while_it_is_made_is_neither_recorded_nor_left_on_disk(
    committed_office: ReviewScenario, reports_dir: Path, monkeypatch: pytest.MonkeyPatch, interval: int, call: int
) -> None:
    """With progress saved always the worker notices at its next step; otherwise at the latest before it records."""
    monkeypatch.setattr(runner, "PROGRESS_INTERVAL", timedelta(seconds=interval))
    report = queue(committed_office)
    clock = cancelling_clock(call, lambda now: cancel_report(report=report, actor=committed_office.ines, now=now))
    assert generate_waiting_reports(clock) == 1
    report.refresh_from_db()
    assert (report.state, report.cancelled_by_name, report.entry_index) == ("cancelled", "Ines", None)
    assert recorded_reports() == 0
    assert not list(reports_dir.glob("*"))
    with pytest.raises(IntegrityError, match="does not become done"):
        Report.objects.filter(pk=report.pk).update(state="done")
    retry_report(report=report, actor=committed_office.cora)
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.is_done, recorded_reports()) == (True, 1)


def test_pages_that_a_lost_worker_left_go_when_the_report_is_cancelled(
    committed_office: ReviewScenario, reports_dir: Path
) -> None:
    report, other = queue(committed_office), queue(committed_office)
    reports_dir.mkdir()
    for suffix in (".pages", ".json"):
        report.path(suffix).write_text("half")
    Report.objects.filter(pk=report.pk).update(state="running", attempts=1)
    cancel_report(report=report, actor=committed_office.ines, now=timezone.now())
    generate_waiting_reports(timezone.now)
    assert {path.name for path in reports_dir.iterdir()} == {f"{other.pk}.pdf", f"{other.pk}.json"}


def test_a_recorded_report_is_completed_and_neither_cancelled_nor_failed(committed_office: ReviewScenario) -> None:
    """A worker was lost between the entry and the proofs."""
    office, now = committed_office, timezone.now()
    report = queue(office)
    assert generate._begin_report(report, now)
    generate._write_pages(report, now, lambda done, total: None)
    page = f"{LIST}{report.pk}/"
    assert (report.state, report.is_recorded) == ("running", True)
    assert "cancel/" not in browser_of(office.ines).get(page).content.decode()
    assert browser_of(office.ines).post(f"{page}cancel/").status_code == 409
    with pytest.raises(JobEnded):
        cancel_report(report=report, actor=office.ines, now=now)
    for changes in (
        {"state": "cancelled", "cancelled_by_name": "Ines", "ended_at": now},
        {"state": "failed", "failure": "No disk.", "ended_at": now},
    ):
        with pytest.raises(IntegrityError, match="a report that is recorded does not become"), transaction.atomic():
            Report.objects.filter(pk=report.pk).update(**changes)
    report.path(".pages").rename(report.path(".elsewhere"))
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.state, report.failure) == ("running", ""), "it waits for its pages"
    report.path(".elsewhere").rename(report.path(".pages"))
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.is_done, report.attempts, recorded_reports()) == (True, 1, 1)
    assert verify_offline(report.path(".pdf")).returncode == 0


def test_a_report_lost_three_times_fails_and_is_tried_again(committed_office: ReviewScenario) -> None:
    report = queue(committed_office)
    Report.objects.filter(pk=report.pk).update(state="running", attempts=3)
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.state, report.failure) == ("failed", "It was begun three times and never finished.")
    retry_report(report=report, actor=committed_office.ines)
    with pytest.raises(JobNotEnded):
        retry_report(report=report, actor=committed_office.ines)
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.is_done, report.attempts, report.failure) == (True, 1, "")


def test_a_report_that_could_not_be_written_fails_and_is_tried_again(
    committed_office: ReviewScenario, reports_dir: Path
) -> None:
    report = queue(committed_office)
    reports_dir.write_text("a file, not a folder")
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.state, report.failure) == ("failed", generate.NOT_WRITTEN)
    assert report.failure in browser_of(committed_office.ines).get(f"{LIST}{report.pk}/").content.decode()
    reports_dir.unlink()
    retry_report(report=report, actor=committed_office.ines)
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert report.is_done
