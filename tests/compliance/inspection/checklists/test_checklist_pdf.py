"""Signed checklist as PDF: every answer has its entry, and a changed answer is detected offline."""

import msgspec
from django.utils import timezone

from compliance.core.web.pdf.attachments import attach_files
from compliance.core.web.pdf.signer import sign_pdf
from compliance.core.web.pdf.verify_signature import check_signature
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.sampling_factors import FACTORS, ChosenFactor
from compliance.reports.document.structure import decode_document, encode_document
from compliance.reports.offline.verify_report import AttachedFiles
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.reports.report_builder import make_report, verify_offline
from tests.pdf_text import extract_text

NSW_CLAUSES = 155


def test_it_says_what_was_signed_and_proves_it(committed_desk: ChecklistScenario) -> None:
    desk = committed_desk
    desk.play(honest=1, overpaid=1)
    checklist = desk.begin()
    browser = browser_of(desk.ines)
    unsigned = browser.post("/casinos/harbour/reports/new/checklist/", {"checklist": checklist.entry_index})
    assert "No signed checklist has the number" in unsigned.content.decode()
    desk.answer(
        checklist, "1.1 triple", ClauseVerdict.NO, AnswerBasis.REPERFORMANCE, "One wager got a dollar too much."
    )
    desk.answer_all(checklist)
    desk.sample(1, factors=[ChosenFactor(FACTORS["finding"], 4, 0)])
    desk.sign(checklist)
    desk.sample(1, purpose="Drawn too late to be on it")
    report = make_report(desk.office, "checklist", checklist=checklist.entry_index)
    text = " ".join(extract_text(report.path(".pdf").read_bytes()).split())
    for words in (
        "The rules are kept, but for one payment.",
        "Re-performance",
        "Signed by Ines",
        "2 rounds audited",
        "1 of 2",
        "4 more: The audit had found something in the round itself.",
        "6 tickets in all",
    ):
        assert words in text, words
    assert "Drawn too late" not in text
    genuine = verify_offline(report.path(".pdf"))
    assert genuine.returncode == 0, genuine.stdout
    # One row for each clause, with its entry and proof, and one for the audit coverage.
    assert f"{NSW_CLAUSES + 1} rows say what their records say" in genuine.stdout
    officer = browser_of(desk.office.cora)
    page = officer.get(f"/casinos/harbour/reports/{report.pk}/").content.decode()
    assert "One wager got a dollar too much." in page, "the operator reads what was signed"
    forged = report.path(".pdf").with_name("forged.pdf")
    forged.write_bytes(_with_other_words(report.path(".pdf").read_bytes()))
    found = verify_offline(forged)
    assert found.returncode == 1
    assert "The signature" not in found.stdout.rpartition("DOES NOT FIT")[2], found.stdout


def _with_other_words(content: bytes) -> bytes:
    """The same pages, with an attached document that claims another comment, signed with the stolen key."""
    taken = AttachedFiles(check_signature(content).content)
    document = decode_document(taken.files["report.json"])
    sections = msgspec.json.encode(document).replace(b"a dollar too much", b"a dollar too little")
    return sign_pdf(
        attach_files(taken.pages, taken.files | {"report.json": encode_document(decode_document(sections))}),
        timezone.now(),
    )
