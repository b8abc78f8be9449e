"""From the round's page to the sheet, and from the sheet to the public check."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from django.test import Client
from pypdf import PdfReader

from compliance.audit.run.worker import audit_log
from compliance.core.web.pdf.signer import load_report_key
from compliance.core.web.pdf.verify_signature import check_signature
from compliance.inspection.reviews.consumer import consume_findings
from compliance.inspection.reviews.models import Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.services import DecisionInput, decide_finding
from compliance.tables.player_conduct.services import ConductReport, record_conduct
from compliance.transparency.wager_proofs.models import Proof
from compliance.transparency.wager_proofs.offline.single_file_verifier import WAGER_VERIFIER
from compliance.transparency.wager_proofs.proof_file.pdf import render_proof_pdf
from compliance.transparency.wager_proofs.services import normalize_code, withdraw_proof
from compliance.transparency.wager_proofs.views import public
from rounds.floor.models import Table
from rounds.ledger.readers.consumer import read_entries
from rounds.ledger.signing.checkpoints import sign_log
from rounds.ledger.writing.append import correct
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.disputes.disputed_round import Floor
from tests.compliance.transparency.wager_proofs.committed_rounds import (
    LATER,
    MINE,
    OTHER,
    commit_all,
    committed_and_proved,
    offline,
    parts_of,
    proved,
)
from tests.pdf_signatures import readers_that_accept

LIST = "/casinos/harbour/wager-proofs/"
CHECK = "/wager/"


def text(browser: Client, address: str, status: int = 200) -> str:
    answer = browser.get(address)
    assert answer.status_code == status, address
    return " ".join(answer.content.decode().split())


def checked(code: str) -> str:
    answer = Client().post(CHECK, {"code": code})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_from_the_round_to_the_proof(floor: Floor) -> None:
    """The page says what is missing until there is a commitment, and then until a checkpoint covers it."""
    index, sid = floor.play().entry.index, browser_of(floor.sid)
    make = f"/casinos/harbour/rounds/{index}/wagers/0041-1/proof/"
    assert make in text(sid, f"/casinos/harbour/rounds/{index}/")
    sign_log("harbour", LATER)
    for missing in ("not ready to be proved yet", "The log was not signed since"):
        assert missing in text(sid, make)
        assert "Make the proof" not in text(sid, make)
        assert sid.post(make).status_code == 409
        commit_all()
    sign_log("harbour", LATER)
    assert "Make the proof" in text(sid, make)
    made = sid.post(make, follow=True)
    page = " ".join(made.content.decode().split())
    proof = Proof.objects.get()
    assert made.redirect_chain == [(f"{LIST}{proof.pk}/", 302)]
    for words in ("Small", "$25.00", "$50.00", "As the rules say", "Clause 3.1.1.1", proof.code):
        assert words in page, words
    assert f"{proof}</a>" in text(sid, make)
    assert sid.get(make.replace("0041-1", "0041-9")).status_code == 404
    assert browser_of(floor.crew.cast.otto).get(make).status_code == 404
    assert "Proof of this wager for the patron" in text(sid, floor.log(floor.play("R-2")).get_absolute_url())


def test_the_list_is_searched_and_taken_away(floor: Floor) -> None:
    ines = browser_of(floor.ines)
    assert "No proof was made yet" in text(ines, LIST)
    proof = committed_and_proved(floor)
    assert "R-2" in text(ines, LIST)
    assert "0041-1" in text(ines, f"{LIST}?search=r-2&state=stands")
    assert "Nothing fits this search" in text(ines, f"{LIST}?search=r-7")
    assert "Nothing fits this search" in text(ines, f"{LIST}?state=withdrawn")
    taken = b"".join(ines.get(f"{LIST}?format=csv").streaming_content).decode()  # type: ignore[attr-defined]
    assert taken.splitlines()[0].endswith("Proof,Made,Round,Table,Wager,Made by,State")
    assert f"Proof {proof.pk}," in taken
    assert proof.code not in taken


def test_the_sheet_is_one_signed_page_with_the_proof_inside(floor: Floor, tmp_path: Path) -> None:
    proof = committed_and_proved(floor)
    answer = browser_of(floor.ines).get(f"{LIST}{proof.pk}/sheet.pdf")
    assert check_signature(answer.content, load_report_key().sha256)
    accepted = readers_that_accept(answer.content, tmp_path)
    assert all(accepted.values()), accepted
    sheet = PdfReader(BytesIO(answer.content))
    [page] = sheet.pages
    words = " ".join(page.extract_text().split())
    for said in (
        "Harbour Casino",
        "R-2",
        "16 Nov 2026, 8:41 pm AEDT",
        "4-2-4, total 10",
        "Small",
        "$25.00",
        "Won",
        "$50.00. As the rules say.",
        "Clause 3.1.1.1",
        proof.code,
        "http://localhost:8000/wager/",
    ):
        assert said in words, (said, words)
    assert OTHER["id"] not in words
    assert sheet.attachments["wager-proof.json"] == [bytes(proof.content)]
    assert browser_of(floor.ines).get(f"{LIST}{proof.pk}/wager-proof.json").content == bytes(proof.content)
    # Each download is recorded, too.
    assert len(read_entries("harbour", 0, 10**6, {"disclosed"})) == 2


def test_a_wager_that_was_changed_time_and_again_fits_on_one_sheet(floor: Floor) -> None:
    raised = [{"what": "raised", "at": MINE["placed_at"], "stake": 2_500 + 100 * step} for step in range(30)]
    proof = committed_and_proved(
        floor, wagers=[{**MINE, "changes": raised, "returned": 10_800}], dice=None, cards=[1, 6, 3]
    )
    [page] = PdfReader(BytesIO(render_proof_pdf(proof, "https://ledger.example/wager/"))).pages
    words = " ".join(page.extract_text().split())
    assert "30 times, last 16 Nov 2026" in words
    assert "$54.00" in words


def test_sheet_and_pages_say_that_the_round_was_invalidated_since(floor: Floor) -> None:
    proof = committed_and_proved(floor)
    places = (f"{LIST}{proof.pk}/", f"/casinos/harbour/rounds/{proof.round_index}/wagers/{proof.wager}/proof/")
    sid, words = browser_of(floor.sid), "The outcome of this round was invalidated"
    assert all(words not in text(sid, place) for place in places)
    assert words not in checked(proof.code)
    report = ConductReport(at=LATER, kind="invalidation", grounds="disruption", rounds=[str(proof.round_index)])
    record_conduct(table=Table.objects.get(slug="sb-1"), report=report, actor=floor.sid, now=LATER)
    for place in places:
        assert words in text(sid, place), place
    assert words in checked(proof.code)
    [page] = PdfReader(BytesIO(render_proof_pdf(proof, "https://ledger.example/wager/"))).pages
    sheet = " ".join(page.extract_text().split())
    assert sheet.index(words) < sheet.index("At the table")


def test_the_sheet_says_what_the_inspectorate_decided_about_the_finding(floor: Floor) -> None:
    proof = committed_and_proved(floor, wagers=[{**MINE, "returned": 5_100}])
    list(audit_log(floor.harbour))
    consume_findings(["harbour"])
    review = Review.objects.get(finding__subject_index=proof.round_index, finding__wager=proof.wager)
    assert "by the inspectorate" not in text(browser_of(floor.sid), f"{LIST}{proof.pk}/")
    decided = DecisionInput(outcome=Outcome.UPHELD, reason="staff-error", note="The dealer miscounted.")
    decide_finding(review=review, decided=decided, expected_decisions=0, actor=floor.ines, now=LATER)
    for page in (text(browser_of(floor.sid), f"{LIST}{proof.pk}/"), checked(proof.code)):
        assert f"{review.code}: upheld by the inspectorate." in page
        assert "miscounted" not in page


def test_whoever_holds_the_sheet_checks_it(floor: Floor) -> None:
    proof = committed_and_proved(floor)
    page = checked(proof.code.lower().replace("-", " "))
    for words in (
        "It fits",
        "1. The log is signed",
        "5. The wager is the one shown",
        "$25.00",
        "4-2-4",
        "As the rules say",
        "The audit has not come to this round yet",
    ):
        assert words in page, words
    for others in (OTHER["id"], "p-08", "Total: 9", "Dealer"):
        assert others not in page
    browser = Client(enforce_csrf_checks=True)
    assert browser.post(CHECK, {"code": proof.code}).status_code == 403
    given = Client().post("/wager/wager-proof.json", {"code": proof.code})
    assert given.content == bytes(proof.content)
    assert "no-store" in given.headers["Cache-Control"]
    assert Client().get("/wager/verify_wager.py").content == WAGER_VERIFIER.content
    assert proof.code not in text(Client(), f"{CHECK}?code={proof.code}")


def test_the_commitment_is_told_by_the_casinos_clock_and_offline_by_utc(floor: Floor) -> None:
    proof = committed_and_proved(floor)
    page = checked(proof.code)
    assert "made 16 Nov 2026, 8:52 pm AEDT, commits the casino" in page
    assert "UTC" not in page.partition("What was checked")[2].partition("</ol>")[0]
    alone = offline().WagerProof(bytes(proof.content))
    alone.check()
    assert "made 2026-11-16 09:52:00 UTC, commits the casino" in alone.steps[1].words


def test_a_code_that_opens_nothing(floor: Floor) -> None:
    proof = committed_and_proved(floor)
    wrong = checked("AAAAA-BBBBB-CCCCC-DDDDD")
    assert "No proof has this code, or the proof was withdrawn" in wrong
    assert "<title>Error: Check one wager" in wrong
    assert "AAAAA-BBBBB-CCCCC-DDDDD" in wrong
    assert "Type the code that is printed on the sheet" in checked("")
    sid = browser_of(floor.sid)
    assert "Say why the proof is withdrawn" in sid.post(f"{LIST}{proof.pk}/withdraw/", {}).content.decode()
    assert sid.post(f"{LIST}{proof.pk}/withdraw/", {"reason": "The wrong seat."}).status_code == 302
    assert "The wrong seat." in text(sid, f"{LIST}{proof.pk}/")
    assert (
        "Somebody withdrew it before you" in sid.post(f"{LIST}{proof.pk}/withdraw/", {"reason": "."}).content.decode()
    )
    assert len(read_entries("harbour", 0, 10**6, {"wager-proof-withdrawn"})) == 1
    assert "No proof has this code" in checked(proof.code)
    assert Client().post("/wager/wager-proof.json", {"code": proof.code}).status_code == 404
    assert normalize_code(" aaaaa bbbbbCCCCC-ddddd ") == "AAAAA-BBBBB-CCCCC-DDDDD"


def test_a_code_that_no_database_could_hold_opens_nothing_either(floor: Floor) -> None:
    for code in ("", "\0", "AB\0CD", "\u202e" * 50):
        answer = Client().post("/wager/wager-proof.json", {"code": code})
        assert answer.status_code == 404, code


def test_nobody_tries_codes_for_long(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "MAX_PER_MINUTE", 2)
    browser = Client(REMOTE_ADDR="192.0.2.77")
    answers = {browser.post(CHECK, {"code": "AAAAA"}).status_code for _ in range(5)}
    assert answers == {200, 429}
    assert browser.post("/wager/wager-proof.json", {"code": "AAAAA"}).status_code == 429


def test_a_proof_that_does_not_fit_says_so(floor: Floor) -> None:
    """Whatever happened to the stored file."""
    proof = committed_and_proved(floor)
    parts = parts_of(proof)
    for number, (change, words) in enumerate(
        (
            ({"verifier_key": parts["verifier_key"].replace("harbour", "marina")}, "a key that this log never had"),
            ({"wager": parts["wager"] | {"salt": "00" * 32}}, "The wager does not lead to the commitment"),
        )
    ):
        copy = Proof.objects.get(pk=proof.pk)
        copy.pk, copy.code, copy.entry_index = None, f"ABCD{number}", 1_000 + number
        copy.content = json.dumps(parts | change).encode()
        copy.save(force_insert=True)
        page = checked(copy.code)
        assert words in page
        assert "It does not fit" in page
        assert "signed log contains this wager as it is shown" not in page


def test_what_the_audit_found_and_what_was_taken_back_is_stated(floor: Floor) -> None:
    subject = floor.play("R-1", wagers=[{**MINE, "returned": 4_000}, OTHER])
    list(audit_log(floor.harbour))
    commit_all()
    sign_log("harbour", LATER)
    stated = parts_of(proved(floor, subject))["stated"]
    assert stated["finding"]["code"] == "SETTLE-UNDERPAID"
    assert (stated["settlement"]["due_cents"], stated["settlement"]["returned_cents"]) == (5_000, 4_000)
    assert stated["settlement"]["says"] == "$10.00 too little handed back"
    other = parts_of(proved(floor, subject, OTHER["id"]))["stated"]
    assert other["finding"]["says"] == "The audit found nothing wrong with it."
    correct("harbour", subject.entry.index, {"reason": "Twice.", "by": "Sid"}, LATER)
    last = proved(floor, subject)
    assert parts_of(last)["stated"]["taken_back_by"] is not None
    assert "had been taken back by a later entry" in checked(last.code)
    withdraw_proof(proof=last, reason="Done.", actor=floor.sid, now=LATER)
