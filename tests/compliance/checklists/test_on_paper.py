"""The signed checklist as PDF: every answer on it rests on its entry, and a changed answer is found offline."""

import msgspec
from django.utils import timezone

from compliance.checklists.answers import Basis, Verdict
from compliance.checklists.factors import FACTORS, Chosen
from compliance.reports.attaching import attach
from compliance.reports.document import decode, encode
from compliance.reports.verify_report import Attached
from compliance.web.signing import signed
from compliance.web.verify_signature import check_signature
from tests.compliance.accounts.cast import browser_of
from tests.compliance.checklists.desk import Desk
from tests.compliance.reports.making import check, make
from tests.paper import text_of

NSW_CLAUSES = 155


def test_it_says_what_was_signed_and_proves_it(committed_desk: Desk) -> None:
    desk = committed_desk
    desk.play(honest=1, overpaid=1)
    checklist = desk.begin()
    browser = browser_of(desk.ines)
    unsigned = browser.post("/casinos/harbour/reports/new/checklist/", {"checklist": checklist.entry_index})
    assert "No signed checklist has the number" in unsigned.content.decode()
    desk.answer(checklist, "1.1 triple", Verdict.NO, Basis.REPERFORMANCE, "One wager got a dollar too much.")
    desk.answer_all(checklist)
    desk.sample(1, factors=[Chosen(FACTORS["finding"], 4, 0)])
    desk.sign(checklist)
    desk.sample(1, purpose="Drawn too late to be on it")
    report = make(desk.office, "checklist", checklist=checklist.entry_index)
    text = " ".join(text_of(report.path(".pdf").read_bytes()).split())
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
    genuine = check(report.path(".pdf"))
    assert genuine.returncode == 0, genuine.stdout
    # Every clause of the document, each with its own entry and proof.
    # And one more: how far the log was audited.
    assert f"{NSW_CLAUSES + 1} rows say what their records say" in genuine.stdout
    officer = browser_of(desk.office.cora)
    page = officer.get(f"/casinos/harbour/reports/{report.pk}/").content.decode()
    assert "One wager got a dollar too much." in page, "the operator reads what was signed"
    forged = report.path(".pdf").with_name("forged.pdf")
    forged.write_bytes(_with_other_words(report.path(".pdf").read_bytes()))
    found = check(forged)
    assert found.returncode == 1
    assert "The signature" not in found.stdout.rpartition("DOES NOT FIT")[2], found.stdout


def _with_other_words(content: bytes) -> bytes:
    """The same pages, with a document attached that claims another comment, signed by a thief of the key."""
    taken = Attached(check_signature(content).content)
    document = decode(taken.files["report.json"])
    sections = msgspec.json.encode(document).replace(b"a dollar too much", b"a dollar too little")
    return signed(attach(taken.pages, taken.files | {"report.json": encode(decode(sections))}), timezone.now())
