"""Access log report: every access and download with its entry, and no free text."""

import pytest
from django.utils import timezone

from compliance.privacy.access_log.models import AccessLogEntry, AccessMethod
from compliance.privacy.access_log.services import record_disclosure
from compliance.privacy.personal_data.audited_read import read_personal_details
from compliance.privacy.personal_data.models import AccessPurpose
from compliance.reports.document.structure import decode_document
from compliance.reports.errors import NothingToReport
from compliance.reports.jobs.request import request_report
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.privacy.personal_data.records import keep
from tests.compliance.reports.report_builder import make_report, verify_offline
from tests.pdf_text import extract_text


def test_the_report_tells_every_look_and_download_and_is_proved_offline(committed_office: ReviewScenario) -> None:
    office = committed_office
    kept = keep(office.casino)
    read_personal_details(
        office.ines, office.casino, kept.pk, purpose=AccessPurpose.CONTACT, note="Pat Example rang", now=timezone.now()
    )
    record_disclosure(
        casino=office.casino,
        way=AccessMethod.LIST,
        what="Claims",
        address="/casinos/harbour/claims/",
        format="csv",
        filters={"name": "Pat Example"},
        rows=1234,
        actor=office.cora,
        now=timezone.now(),
    )
    report = make_report(office, "looks")
    text = extract_text(report.path(".pdf").read_bytes())
    for words in ("Details D-1", "To reach the person", "Ines", "Cora", "List downloaded", "1,234"):
        assert words in text, words
    said = decode_document(report.path(".json").read_bytes())
    short, each = said.sections
    assert [(fact.name, fact.value) for fact in short.facts] == [("Looks, downloads and reads", "2")]
    assert short.grid is not None
    assert each.grid is not None
    assert [row.cells for row in short.grid.rows] == [
        ("Cora", "List downloaded", "1"),
        ("Ines", "Patron's details seen", "1"),
    ]
    looks = list(AccessLogEntry.objects.order_by("at"))
    assert [(row.cells[1:6], row.entry) for row in each.grid.rows] == [
        (
            ("Ines", "Patron's details seen", f"Details D-1, record {kept.pk}", "", "To reach the person"),
            looks[0].entry_index,
        ),
        (("Cora", "List downloaded", "Claims", "1,234", "name"), looks[1].entry_index),
    ]
    assert "Pat Example" not in text
    assert b"Pat Example" not in report.path(".json").read_bytes()
    genuine = verify_offline(report.path(".pdf"))
    assert genuine.returncode == 0, genuine.stdout + genuine.stderr


def test_a_time_in_which_nobody_looked_is_no_report(office: ReviewScenario) -> None:
    chosen = {"until": "2020-01-01T00:00:00+00:00"}
    with pytest.raises(NothingToReport):
        request_report(casino=office.casino, kind="looks", chosen=chosen, actor=office.ines, now=timezone.now())
