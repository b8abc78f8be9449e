"""Reports: their contents, their proofs, and that every change to a file is detected."""

import re
import zlib
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from compliance.core.web.errors import NotFound
from compliance.core.web.pdf.sections import Grid, LabelledValue, ReportColumn, Row, Section
from compliance.inspection.reviews.outcomes import Outcome
from compliance.reports.document.pdf import render_pdf
from compliance.reports.document.structure import Document, IllustratedDocument, decode_document
from compliance.reports.errors import NothingToReport
from compliance.reports.jobs import generate
from compliance.reports.jobs.generate import generate_waiting_reports
from compliance.reports.jobs.request import request_report
from compliance.reports.models import Report
from rounds.ledger.readers.consumer import read_entries_at
from rounds.ledger.signing.checkpoints import verifier_key_for
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report, verify_offline
from tests.pdf_text import extract_text


def test_the_discrepancy_report_says_what_was_found_and_decided(committed_office: ReviewScenario) -> None:
    office = committed_office
    first, _ = office.overpay(2)
    office.decide(first, Outcome.EXPLAINED, note="Secret thoughts of the inspector.")
    report = make_report(office, "discrepancies")
    text = extract_text(report.path(".pdf").read_bytes())
    for words in (
        "SETTLE-OVERPAID",
        "$51.00",
        "$50.00",
        "Explained",
        "Not decided",
        "(New South Wales), version 1",
        "Page 1 of",
    ):
        assert words in text, words
    assert "$2.00" in text, "twice a dollar too much"
    content = report.path(".pdf").read_bytes() + report.path(".json").read_bytes()
    assert b"Secret thoughts" not in content
    assert not any(b"Secret thoughts" in part for part in unpacked(content))


def unpacked(content: bytes) -> list[bytes]:
    found = []
    for part in re.findall(rb"stream\n(.*?)\nendstream", content, re.DOTALL):
        try:
            found.append(zlib.decompress(part))
        except zlib.error:
            continue
    return found


def test_a_report_is_checked_offline_and_any_change_is_found(committed_office: ReviewScenario, tmp_path: Path) -> None:
    office = committed_office
    office.overpay()
    report = make_report(office, "discrepancies")
    genuine = verify_offline(report.path(".pdf"), "--key", str(verifier_key_for("harbour")))
    assert genuine.returncode == 0, genuine.stdout + genuine.stderr
    assert "The ledger recorded these very pages" in genuine.stdout
    assert "the report is genuine" in genuine.stdout
    content = report.path(".pdf").read_bytes()
    pages = content.find(b"%%EOF")
    for name, changed in {
        "a page": content[:900] + bytes([content[900] ^ 1]) + content[901:],
        "an attachment": content[: pages + 400] + bytes([content[pages + 400] ^ 1]) + content[pages + 401 :],
        "something added": content + b"\n1 0 obj\n<<>>\nendobj\n",
        "something cut": content[:-20],
        "only the pages": content[: pages + 6],
        "no report at all": b"hello",
    }.items():
        target = tmp_path / "changed.pdf"
        target.write_bytes(changed)
        result = verify_offline(target)
        assert result.returncode == 1, (name, result.stdout)
        assert "must not be relied on" in result.stdout, name
        assert "Traceback" not in result.stderr, name


def test_another_key_is_refused(committed_office: ReviewScenario) -> None:
    committed_office.overpay()
    report = make_report(committed_office, "discrepancies")
    other = str(verifier_key_for("marina"))
    assert verify_offline(report.path(".pdf"), "--key", other).returncode == 1


def test_the_entry_records_the_pages_and_the_database_keeps_them(committed_office: ReviewScenario) -> None:
    office = committed_office
    office.overpay()
    report = make_report(office, "discrepancies")
    assert report.entry_index is not None
    [entry] = read_entries_at("harbour", [report.entry_index])
    assert (entry.kind, entry.content()) == ("report-made", dict(report.entry_body()))
    assert report.file_bytes == report.path(".pdf").stat().st_size
    with pytest.raises(Exception, match="stay as they are"):
        Report.objects.filter(pk=report.pk).update(title="Another")


def test_a_worker_lost_after_the_record_only_attaches_again(committed_office: ReviewScenario) -> None:
    """State after a worker dies between the entry and the proofs."""
    office = committed_office
    office.overpay()
    report = request_report(
        casino=office.casino, kind="discrepancies", chosen={}, actor=office.ines, now=timezone.now()
    )

    generate._begin_report(report, timezone.now())
    generate._write_pages(report, timezone.now(), lambda done, total: None)
    entry = report.entry_index
    generate_waiting_reports(timezone.now)
    report.refresh_from_db()
    assert (report.state, report.entry_index) == ("done", entry)
    assert verify_offline(report.path(".pdf")).returncode == 0


def test_the_other_kinds_and_their_twins_on_the_page(committed_office: ReviewScenario) -> None:
    office = committed_office
    [review] = office.overpay()
    office.decide(review)
    office.house.play((4, 2, 4), wager("small", 2_500, 5_000), later=timedelta(days=1), gaming_day=date(2026, 11, 17))
    office.audit()
    finding = review.finding
    page = browser_of(office.ines)
    for kind, chosen, words in (
        ("finding", {"finding": finding.entry_index}, ("Upheld", "$51.00", "Small", "No more bets called", "7.1")),
        ("round", {"round": finding.subject_index}, ("4-2-4, total 10", "w-7", "Tumbled 3 times", "SETTLE-OVERPAID")),
        ("daily", {"day": "2026-11-16"}, ("16 November 2026", "$25.00", "sb-1", "SETTLE-OVERPAID")),
        ("certificate", {}, ("harbour", "First and last entry", "never verified")),
    ):
        report = make_report(office, kind, **chosen)
        checked = verify_offline(report.path(".pdf"))
        assert checked.returncode == 0, (kind, checked.stdout)
        on_paper = extract_text(report.path(".pdf").read_bytes())
        twin = page.get(f"/casinos/harbour/reports/{report.pk}/").content.decode()
        for word in words:
            assert word in on_paper, (kind, word)
            assert word in twin, (kind, word)
    daily = decode_document(Report.objects.get(kind="daily").path(".json").read_bytes())
    assert {fact.name: fact.value for fact in daily.sections[0].facts} == {
        "Tables played": "1",
        "Rounds": "1",
        "Without result": "0",
        "Wagers settled": "1",
        "Staked": "$25.00",
        "Handed back": "$51.00",
        "Findings": "1",
    }
    by_table = daily.sections[1].grid
    assert by_table is not None
    assert [row.cells for row in by_table.rows] == [("sb-1", "1", "1", "$25.00", "$51.00", "1")]
    figure = page.get(f"/casinos/harbour/reports/{Report.objects.get(kind='round').pk}/figure-0.svg")
    assert figure.headers["Content-Type"] == "image/svg+xml"


def test_a_finding_is_one_page_for_an_ordinary_round_and_whole_for_any(committed_office: ReviewScenario) -> None:
    """Eight wagers fit one A4 sheet; a round with sixty takes more pages and still shows every wager."""
    office = committed_office
    office.house.open_table()
    for wagers, pages in ((8, 1), (60, 3)):
        others = [wager("big", 500, 0, id=f"w-{number}", player=f"p-{number}") for number in range(1, wagers)]
        office.house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-0"), *others)
        review = office.audit()[-1]
        office.decide(review)
        report = make_report(office, "finding", finding=review.finding.entry_index)
        assert report.pages is not None
        assert report.pages <= pages
        assert (report.pages == 1) is (pages == 1)
        assert f"w-{wagers - 1}" in extract_text(report.path(".pdf").read_bytes())


def test_nothing_to_report_and_nobody_to_report_to(committed_office: ReviewScenario) -> None:
    office = committed_office
    now = timezone.now()
    with pytest.raises(NothingToReport):
        request_report(casino=office.casino, kind="discrepancies", chosen={}, actor=office.ines, now=now)
    for person in (office.sid, office.house.crew.cast.mara, office.house.crew.cast.otto):
        with pytest.raises(NotFound):
            request_report(casino=office.casino, kind="certificate", chosen={}, actor=person, now=now)
    made = make_report(office, "certificate")
    assert browser_of(office.sid).get(f"/casinos/harbour/reports/{made.pk}/file/").status_code == 404
    answer = browser_of(office.cora).get(f"/casinos/harbour/reports/{made.pk}/file/")
    assert b"".join(answer) == made.path(".pdf").read_bytes()


def test_text_of_any_length_goes_on_over_pages() -> None:
    """A statement or reason may be longer than a page: nothing is cut off, and nothing fails."""
    words = " ".join(f"word{number}" for number in range(3_000))
    grid = Grid((ReportColumn("Step", 1), ReportColumn("Said", 3)), (Row(("Decided", words)), Row(("Closed", "Done."))))
    section = Section(title="Long", facts=(LabelledValue("The patron says", words),), grid=grid)
    document = Document(
        title="Dispute",
        casino="Harbour",
        log="harbour",
        made_at="now",
        subject="",
        sections=(section,),
        basis=(),
        entries=(),
    )
    pages = render_pdf(IllustratedDocument(document))
    text = extract_text(pages.content)
    assert pages.count > 3
    assert text.count("word2999") == 2
    assert all(text.count(f" word{number} ") == 2 for number in range(1, 2_999))
    assert "Done." in text
    assert text.count("Long, continued") == text.count("Step Said") - 1 > 0, "each page says what its table is about"


def test_names_of_east_asia_stand_in_every_part_of_a_report() -> None:
    """A column narrower than the name wraps it, and the page says where characters missing from the font can be
    read."""
    name = "李玲玲" * 12
    grid = Grid((ReportColumn("Who", 1), ReportColumn("Amount", 5, is_figure=True)), (Row((name, "十 $1.00 元")),))
    section = Section(
        title="第一", texts=("김철수 said so.",), facts=(LabelledValue("名", "李玲 & <Nguyễn>"),), grid=grid
    )
    document = Document(
        title="东京 report",
        casino="海港 Casino",
        log="harbour",
        made_at="now",
        subject="",
        sections=(section,),
        basis=(),
        entries=(),
    )
    text = extract_text(render_pdf(IllustratedDocument(document)).content)
    for words in ("东京 report", "海港 Casino", "第一", "김철수 said so.", "李玲 & <Nguy[U+1EC5]n>", "十 $1.00 元"):
        assert words in text, words
    assert name in text.replace(" ", "")
    assert "Letters that your reader leaves blank stand in its report.json." in text
