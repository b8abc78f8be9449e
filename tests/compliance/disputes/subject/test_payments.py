"""A payment after a dispute counts as returned, wherever the wager's amounts are shown."""

import re

from compliance.disputes.models import Dispute
from compliance.disputes.pdf.dispute_file import dispute_file
from compliance.disputes.services import record_payment
from compliance.disputes.subject.disputed_entry import subject_at
from compliance.transparency.wager_proofs.proof_file.service_statement import service_statement
from compliance.transparency.wager_proofs.proof_file.text import _wager_rows
from rounds.intake.round_view import read_round
from rounds.ledger.signing.checkpoints import sign_log
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, Floor
from tests.compliance.disputes.subject.test_assessment import wager
from tests.compliance.pages.views.test_round import words_of
from tests.pdf_text import extract_text

RIGHT, SHORT = "As the rules say", "$70.00 too little handed back"


def pay(floor: Floor, dispute: Dispute, cents: int, way: str = "paid", wager: str = "w") -> int:
    at = NOW + 8 * MINUTE
    return record_payment(
        dispute=dispute, way=way, amount_cents=cents, wager=wager, note="", actor=floor.sid, now=at
    ).entry_index


def disputed_ten(floor: Floor) -> Dispute:
    """Ten dollars on total 10 at 6 to 1, nothing returned."""
    floor.open_table(NSW)
    return floor.log(
        floor.play(wagers=[wager(id="w", bet="total:10", stake=1_000, verdict="lose", returned=0)]), wagers=["w"]
    )


def label(floor: Floor, dispute: Dispute) -> str:
    subject = subject_at(floor.harbour, dispute.subject_index)
    assert subject is not None
    return subject.assess_wagers()[0].tag.label


def test_on_the_dispute_page_its_file_the_proof_sheet_and_the_round_page(floor: Floor) -> None:
    dispute = disputed_ten(floor)
    subject = subject_at(floor.harbour, dispute.subject_index)
    assert subject is not None
    page, round_page = f"/casinos/harbour/disputes/{dispute.number}/", f"/casinos/harbour/rounds/{subject.entry.index}/"
    assert SHORT in browser_of(floor.sid).get(page).content.decode()
    entry = pay(floor, dispute, 7_000)
    shown = browser_of(floor.sid).get(page).content.decode()
    assert SHORT not in shown
    assert f"includes the payment after a dispute of entry {entry}." in shown
    read = read_round(floor.harbour, subject.entry)
    stated = service_statement(read, "w")
    [proved] = [each.wager for each in read.wagers if each.wager.id == "w"]
    rows = dict(_wager_rows(proved, stated))
    assert (rows["Returned"][:5], rows["Paid since"][:6]) == ("$0.00", "$70.00")
    statement = stated["settlement"]
    assert (statement["due_cents"], statement["returned_cents"]) == (7_000, 7_000)
    assert statement["says"].startswith(RIGHT)
    shown = browser_of(floor.sid).get(round_page).content.decode()
    assert f"Returned later, after a dispute: entry {entry}" in shown
    assert re.search(r"\$70\.00 (AUD )?returned\.", words_of(shown))
    sign_log("harbour", NOW + 10 * MINUTE)
    file = dispute_file(Dispute.objects.with_file().get(), is_government=False, patron=None, made_for="Sid", now=NOW)
    assert SHORT not in extract_text(file)


def test_what_was_taken_back_counts_too_and_a_payment_for_no_wager_does_not(floor: Floor) -> None:
    dispute = disputed_ten(floor)
    pay(floor, dispute, 7_000, wager="")
    assert label(floor, dispute) == SHORT
    pay(floor, dispute, 9_000)
    assert label(floor, dispute) == "$20.00 too much handed back"
    pay(floor, dispute, 2_000, way="taken-back")
    assert label(floor, dispute) == RIGHT


def test_a_payment_for_another_round_is_not_counted(floor: Floor) -> None:
    dispute = disputed_ten(floor)
    wagers = [wager(id="w", bet="total:10", stake=1_000, verdict="lose", returned=0)]
    other = floor.log(floor.play("R-2", wagers=wagers), wagers=["w"])
    pay(floor, other, 7_000)
    assert (label(floor, dispute), label(floor, other)) == (SHORT, RIGHT)


def test_a_wager_reported_as_open_is_settled_as_in_the_audit(floor: Floor) -> None:
    """Only a Super Streak wager runs on after its round."""
    floor.open_table(NSW)
    reported = wager(id="w", bet="total:10", stake=1_000, verdict="open", returned=None)
    assert label(floor, floor.log(floor.play(wagers=[reported]), wagers=["w"])) == SHORT
