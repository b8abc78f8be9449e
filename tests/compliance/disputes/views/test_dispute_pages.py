"""Pages of a dispute: each step, who is notified of what, and what each side sees."""

from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image
from pypdf import PdfReader
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.core.web.pdf.page_layout import PageText, make_pdf, paragraph
from compliance.disputes.attachments import store_upload
from compliance.disputes.entry_bodies import LetterBody
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute, IssuedLetter, Step
from compliance.disputes.pdf.dispute_file import dispute_file
from compliance.disputes.pdf.outcome_letter import render_outcome_letter
from compliance.disputes.selectors import count_repeated_disputes
from compliance.disputes.services import add_inspector_note, attach_file, issue_letter, record_complaint
from compliance.disputes.services.steps import lock_dispute, record_step
from compliance.privacy.personal_data.models import DetailsAccess
from rounds.ledger.signing.checkpoints import sign_log
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.core.web.confirming import post_anyway
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, SKYCITY, Floor
from tests.pdf_text import extract_text

ALL = "/casinos/harbour/disputes/"
DAY = timedelta(days=1)
D1 = f"{ALL}1/"
DECISION = {"outcome": "refused", "amount": "", "clause": "9.12", "reasons": "The chips lay on nine."}
TOLD = {"told": "It lost.", "language": "English", "answer": "not-satisfied", "acknowledged": "declined"}


def do(person: User, page: str, **typed: Any) -> str:
    """Submits the form of a step, in spite of any warning; returns the next page, or the same one with errors."""
    answer = post_anyway(
        browser_of(person), f"{D1}{page}/", {**typed, **sign_off(person)}, again=lambda: sign_off(person)
    )
    return str(answer.content.decode())


def state_of(number: int = 1) -> DisputeState:
    return Dispute.objects.get(number=number).current_state


def test_nothing_chosen_is_nothing_attached(floor: Floor) -> None:
    floor.open_table(NSW)
    floor.log()
    page = do(floor.gina, "attach")
    assert "Choose a file." in page
    assert "The file is attached." not in page


def test_the_nsw_ladder_page_by_page(
    floor: Floor, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    floor.open_table(NSW)
    floor.log()
    assert "This decision is not yours" not in do(floor.gina, "decide", **DECISION)
    assert "Tell the patron" in do(floor.gina, "tell", **TOLD | {"answer": ""})
    assert "Waits for" in do(floor.gina, "tell", **TOLD | {"answer": "review"})
    assert state_of() is DisputeState.WAITING
    assert "Review (clause 9.12) is for the reviewing casino supervisor" in do(floor.gina, "decide", **DECISION)
    do(floor.sid, "decide", **DECISION)
    do(floor.sid, "tell", **TOLD)
    stopped = do(floor.sid, "close", reason="Over.")
    assert "nobody has recorded that they were told of a complaint to an inspector (clause 9.13)" in stopped
    assert "Over." in stopped
    handed_over = browser_of(floor.sid).get(f"{D1}advice/").content.decode()
    assert "section 33, Gaming and Liquor Administration Act 2007" in handed_over
    assert browser_of(floor.sid).get(f"{D1}advice/qr.svg").content.startswith(b"<svg")
    with django_capture_on_commit_callbacks(execute=True):
        do(floor.sid, "advise", how="emailed", language="English", email="patron@example.com")
    assert mail.outbox[0].to == ["patron@example.com"]
    assert "clause 9.13" in mail.outbox[0].body
    do(floor.sid, "close", reason="Advised.")
    assert state_of() is DisputeState.CLOSED
    do(floor.ines, "complaint", received="writing")
    do(floor.ines, "note", text="The dealer contradicts herself.")
    do(floor.ines, "ask", what="footage", question="Camera 4, 20:40 to 20:45.", due_on="2026-11-20")
    asked = Step.objects.get(kind="dispute-asked").entry_index
    assert "Camera 4" in browser_of(floor.sid).get(D1).content.decode()
    do(floor.sid, f"ask/{asked}/answer", text="Kept on tape 88.")
    do(floor.ines, "outcome", outcome="substantiated", amount="70", reasons="The film shows ten.")
    assert state_of() is DisputeState.DETERMINED
    do(floor.ines, "letter", how="posted")
    do(floor.ines, "close", reason="Letter sent.")
    assert state_of() is DisputeState.CLOSED
    theirs, ours = (browser_of(who).get(D1).content.decode() for who in (floor.sid, floor.ines))
    assert "contradicts" in ours
    assert "contradicts" not in theirs
    assert "Inspector&#x27;s note" not in theirs


def test_a_reviewer_who_decided_first_keeps_what_they_typed(floor: Floor) -> None:
    floor.open_table(NSW)
    floor.log()
    assert "is for the games supervisor" in do(floor.sid, "decide", **DECISION)
    do(floor.sid, "decide", **DECISION, in_absence="on")
    do(floor.sid, "tell", **TOLD | {"answer": "review"})
    refused = do(floor.sid, "decide", **DECISION)
    assert "You decided this" in refused
    assert "The chips lay on nine." in refused
    do(floor.sue, "decide", **DECISION)
    assert state_of() is DisputeState.DECIDED


def test_a_decision_made_at_the_table_is_written_down_whoever_made_it(floor: Floor) -> None:
    floor.open_table(SKYCITY)
    floor.log(wagers=[])
    decider = f"{floor.gina.pk}:games-supervisor"
    told = {**DECISION, "decider": decider, "rung": "0", "at": "2026-11-15T20:45"}
    assert "lies ahead" in do(floor.sid, "decision-made", **told | {"at": "2999-01-01T00:00"})
    do(floor.sid, "decision-made", **told)
    decided = Step.objects.get(kind="dispute-decided")
    assert (decided.by_name, decided.role, decided.said["entered_by"]) == ("Gina", "games-supervisor", "Sid")


def test_a_patron_who_left_is_closed_without_advice_only_with_a_reason(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    floor.decide(dispute, floor.gina)
    floor.tell(dispute, "not-satisfied")
    assert "Enter an answer." in do(floor.sid, "close-without-advice", reason="Left.")
    do(floor.sid, "close-without-advice", reason="Left.", unadvised_because="Walked out.")
    assert state_of() is DisputeState.CLOSED
    assert "Not advised" in browser_of(floor.sid).get(D1).content.decode()


def test_the_patrons_details_are_shown_to_whoever_says_why_and_the_look_is_recorded(
    floor: Floor, transactional_db: None
) -> None:
    floor.open_table(NSW)
    floor.log(patron={"name": "Ling", "contact": "0400 000 000"})
    browser = browser_of(floor.gina)
    assert "Ling" not in browser.get(f"{D1}patron/").content.decode()
    assert "Ling" in browser.post(f"{D1}patron/", {"purpose": "contact"}).content.decode()
    assert DetailsAccess.objects.get().by == floor.gina
    without = browser.get(f"{D1}file.pdf")
    assert without.headers["Content-Type"] == "application/pdf"
    assert DetailsAccess.objects.count() == 1
    browser.get(f"{D1}file.pdf?patron=1")
    assert DetailsAccess.objects.count() == 2


def test_the_file_on_paper_has_everything_in_order(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log(statement="It lay on ten. 我押了十。")
    picture = BytesIO()
    Image.new("RGB", (400, 300), "green").save(picture, "PNG")
    stored = store_upload(SimpleUploadedFile("layout.png", picture.getvalue()))
    attach_file(dispute=dispute, stored=stored, actor=floor.gina, now=NOW)
    floor.decide(dispute, floor.gina)
    record_complaint(dispute=dispute, received="writing", actor=floor.ines, now=NOW + 9 * MINUTE)
    add_inspector_note(dispute=dispute, text="Contradicts herself.", actor=floor.ines, now=NOW + 9 * MINUTE)
    sign_log("harbour", NOW + 10 * MINUTE)
    it = Dispute.objects.with_file().get()
    made: dict[str, Any] = {"made_for": "Ines", "now": NOW + 11 * MINUTE}
    full = extract_text(dispute_file(it, patron={"name": "Ling"}, is_government=True, **made))
    bare = extract_text(dispute_file(it, patron=None, is_government=False, **made))
    order = [
        "1. What is disputed",
        "2. The round",
        "3. What the rules give",
        "4. Who decides",
        "5. Every step",
        "6. Files attached",
        "7. Proof of the round",
    ]
    assert [full.index(title) for title in order] == sorted(full.index(title) for title in order)
    assert "Ling" in full
    assert "Contradicts herself." in full
    assert "Ling" not in bare
    assert "Contradicts herself." not in bare
    assert stored.sha256 in bare
    assert "The checkpoint is signed by the log's key. Fits." in bare
    assert "As the rules say" in bare


def test_a_file_holds_a_statement_longer_than_a_page_in_any_script(floor: Floor) -> None:
    floor.open_table(NSW)
    floor.log(statement="我押了十。\n" * 300 + "The end.", patron={"name": "李玲"})
    it = Dispute.objects.with_file().get()
    pdf = dispute_file(it, patron={"name": "李玲"}, is_government=True, made_for="Ines", now=NOW)
    said = extract_text(pdf)
    assert said.count("我押了十。") == 300
    assert "The end." in said
    assert "Patron's name 李玲" in said
    [attached] = PdfReader(BytesIO(pdf)).attachments["words-as-written.txt"]
    assert "李玲" in attached.decode()
    assert attached.decode().count("我押了十。") == 300


def determined(floor: Floor, reasons: str) -> Dispute:
    record_complaint(dispute=Dispute.objects.get(), received="writing", actor=floor.ines, now=NOW)
    do(floor.ines, "outcome", outcome="substantiated", amount="70", reasons=reasons)
    return Dispute.objects.with_file().get()


def test_the_letter_is_the_file_that_was_issued_whatever_the_layout_is_now(floor: Floor) -> None:
    floor.open_table(NSW)
    floor.log()
    it, browser = determined(floor, "The film shows ten."), browser_of(floor.ines)
    letter = render_outcome_letter(it)
    assert letter == render_outcome_letter(it)
    assert "The operator is to pay you $70.00." in extract_text(letter)
    assert "The film shows ten." in extract_text(letter)
    do(floor.ines, "letter", how="posted")
    issued = bytes(IssuedLetter.objects.get().content)
    assert issued.startswith(letter), "the letter, with its signature appended"
    assert browser.get(f"{D1}letter.pdf").content == issued == browser.get(f"{D1}letter.pdf").content
    former = make_pdf([paragraph("The film shows ten.")], PageText("As laid out once", "", "", ""))
    issue_letter(dispute=it, content=former, how="emailed", actor=floor.ines, now=NOW)
    file = browser.get(f"{D1}letter.pdf")
    assert file.content.startswith(former)
    assert file["Content-Disposition"] == f'attachment; filename="{it.reference}-letter.pdf"'
    assert "rendered again" not in browser.get(D1).content.decode()
    do(floor.ines, "letter", how="handed-over")
    assert [bytes(each.content) for each in IssuedLetter.objects.order_by("pk")] == [issued, former, former]
    do(floor.sid, "advise", how="spoken", language="English")
    do(floor.ines, "close", reason="Letter sent.")
    determined(floor, "Another film shows nine.")
    assert "Another film shows nine." in extract_text(browser.get(f"{D1}letter.pdf").content)


def test_a_letter_of_an_earlier_release_says_whether_it_is_still_the_same_file(floor: Floor) -> None:
    floor.open_table(NSW)
    floor.log()
    it, browser = determined(floor, "The film shows ten."), browser_of(floor.ines)
    letter = render_outcome_letter(it)
    for content, sentence in ((letter, "it is the same file"), (b"Laid out before.", "the layout has changed since")):
        body = LetterBody(sha256=sha256(content).hexdigest(), how="posted")
        record_step(lock_dispute(it), body, by=floor.ines, role=Role.INSPECTOR, now=NOW)
        assert sentence in browser.get(D1).content.decode()
        file = browser.get(f"{D1}letter.pdf")
        assert file.content.startswith(letter)
        assert "letter-rendered-again.pdf" in file["Content-Disposition"]


@pytest.mark.parametrize("number", [0, 1, 10_000])
def test_the_list_costs_the_same_whatever_its_length(
    floor: Floor, number: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    floor.open_table(NSW)
    if number:
        first = floor.log(wagers=[])
        rows = [
            Dispute(
                casino=floor.harbour,
                number=place,
                subject_kind="round",
                subject_index=first.subject_index,
                table="sb-1",
                grounds="other",
                logged_by=floor.gina,
                logged_by_name="Gina",
                logged_at=NOW,
                waiting_since_at=NOW,
                due_at=NOW,
                log="harbour",
                entry_index=1_000_000 + place,
            )
            for place in range(2, number + 1)
        ]
        Dispute.objects.bulk_create(rows, batch_size=2_000)
    browser: Client = browser_of(floor.gina)
    with django_assert_max_num_queries(20):
        page = browser.get(ALL).content.decode()
    assert ("No dispute has been logged here." in page) is (number == 0)
    assert ("of 10,000" in page) is (number == 10_000)
    assert browser.get(f"{ALL}?overdue=on&words=D-1&state=waiting").status_code == 200
    assert browser.get(f"{ALL}repeated/?by=table").status_code == 200
    assert browser.get(f"{ALL}repeated/table.svg").status_code == 200
    assert browser.get(f"{ALL}repeated/dice.svg").status_code == 404


def test_repeated_disputes_are_counted_by_table_dealer_wager_and_clause(floor: Floor) -> None:
    """NSW: a total of nine is disputed twice, Small once, and one dispute is about no wager."""
    floor.open_table(NSW)
    for place, wagers in enumerate((["0041-2"], ["0041-2", "0041-1"], []), 1):
        floor.log(floor.play(f"R-{place}"), wagers=wagers, now=timezone.now())
    browser = browser_of(floor.ines)
    for by, rows in (
        ("table", [("sb-1", 3)]),
        ("dealer", [("D-112", 3)]),
        ("bet", [("total:9", 2), ("small", 1)]),
        ("clause", [("3.1.6", 2), ("3.1.1.1", 1)]),
    ):
        counted = [
            (each.label, each.disputes)
            for each in count_repeated_disputes(floor.harbour, by, timezone.now() - 90 * DAY)
        ]
        assert counted == rows, by
        page = browser.get(f"{ALL}repeated/?by={by}").content.decode()
        assert f"The most disputed is {rows[0][0]}, with {rows[0][1]}." in page
        assert browser.get(f"{ALL}repeated/{by}.svg").content.count(b"<svg") == 1


def test_a_rounds_page_leads_to_its_disputes(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    browser = browser_of(floor.ines)
    about = f"{ALL}about/{dispute.subject_index}/"
    assert about in browser.get(f"/casinos/harbour/rounds/{dispute.subject_index}/").content.decode()
    fragment = browser.get(about, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert "D-1" in fragment
    assert "<html" in browser.get(about).content.decode()


def test_a_compliance_officer_sets_how_long_a_step_may_take(floor: Floor) -> None:
    floor.open_table(NSW)
    browser = browser_of(floor.cora)
    browser.post(f"{ALL}times/first-instance/", {"hours": "1", **sign_off(floor.cora)})
    dispute = floor.log(now=NOW.replace(year=2027))
    assert dispute.due_at == NOW.replace(year=2027, hour=10)
    assert browser_of(floor.sid).get(f"{ALL}times/first-instance/").status_code == 404
    browser.post(f"{ALL}times/own-procedure/", {"text": "Ask the pit.", **sign_off(floor.cora)})
    assert "Ask the pit." in browser.get(f"{ALL}times/").content.decode()
