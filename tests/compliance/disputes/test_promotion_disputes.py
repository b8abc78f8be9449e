"""NSW 10.11: a dispute about a claim on a promotional prize, from marketing to the inspector's letter."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.roles import Role
from compliance.disputes.entry_bodies import InspectorDeterminationBody
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute, Step
from compliance.disputes.pdf.dispute_file import dispute_file
from compliance.disputes.pdf.outcome_letter import render_outcome_letter
from compliance.disputes.services import close_dispute, determine_complaint, record_complaint
from promotions.claims.models import Claim
from promotions.claims.services import decide_claim, record_claim
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of, give_phone, hire, sign_off
from tests.compliance.core.web.confirming import shown_prediction
from tests.pdf_text import extract_text
from tests.promotions.crew import HOUR, NOW, START, Crew, file_example_terms, make_crew

ALL = "/casinos/harbour/disputes/"
MINUTE = timedelta(minutes=1)
DECISION = {"outcome": "refused", "amount": "", "clause": "10.11", "reasons": "Entries had closed."}
TOLD = {"told": "It stays denied.", "language": "English", "answer": "not-satisfied", "acknowledged": "declined"}


@pytest.fixture
def crew(db: None, tmp_path: Path, settings: Settings) -> Crew:
    settings.LEDGER_KEY_FILE, settings.MEDIA_ROOT = tmp_path / "keys" / "ledger.key", tmp_path / "uploads"
    create_key_file(settings.LEDGER_KEY_FILE)
    return make_crew()


def denied(crew: Crew) -> Claim:
    claim = record_claim(
        promotion=file_example_terms(crew).promotion,
        prize="Hatchback",
        value_cents=2_500_000,
        claimed_at=START,
        details="",
        actor=crew.mara,
        now=START,
    )
    person = {"name": "Pat Example", "address": "12 Quay Street"}
    decide_claim(claim=claim, is_met=False, reasons="Late.", person=person, actor=crew.mara, now=START)
    return claim


def logged(crew: Crew, browser: Client) -> Dispute:
    claim = denied(crew)
    page = f"{ALL}new/{claim.entry_index}/"
    assert page in browser.get(f"{ALL}new/promotions/").content.decode()
    shown = browser.get(page).content.decode()
    assert "Claim C-1 on “Hatchback”" in shown
    assert "First to decide: the casino operator." in shown
    assert re.search(r'<input[^>]*value="promotion"[^>]*checked', shown)
    browser.post(page, {"grounds": "promotion", "statement": "I was in time.", "act": "log"})
    return Dispute.objects.with_file().get()


def do(person: Any, page: str, **typed: Any) -> str:
    answer = browser_of(person).post(f"{ALL}1/{page}/", {**typed, **sign_off(person)}, follow=True)
    return str(answer.content.decode())


def test_marketing_logs_it_the_operator_decides_and_the_advice_cannot_be_left_out(crew: Crew) -> None:
    browser = browser_of(crew.mara)
    dispute = logged(crew, browser)
    assert (dispute.subject_kind, dispute.current_rung.clause) == ("promotion-claim", "10.11")
    refused = do(crew.mara, "decide", **DECISION)
    assert "Final decision (clause 10.11) is for the casino operator" in refused
    do(crew.cleo, "decide", **DECISION)
    do(crew.mara, "tell", **TOLD)
    stopped = do(crew.cleo, "close", reason="Over.")
    assert "told of a complaint to an inspector (clause 10.11)" in stopped
    do(crew.mara, "advise", how="spoken", language="English")
    do(crew.cleo, "close", reason="Advised.")
    assert Dispute.objects.get().current_state is DisputeState.CLOSED
    file = "/casinos/harbour/reports/new/dispute/?dispute=D-1"
    assert file in browser_of(crew.cleo).get(f"{ALL}1/").content.decode()
    assert file not in browser.get(f"{ALL}1/").content.decode(), "it would not open to her"
    assert browser.get(file).status_code == 404
    assert "D-1" in browser.get(f"{ALL}about/{dispute.subject_index}/").content.decode()


def test_marketing_sees_the_disputes_about_its_promotions_and_no_others(crew: Crew) -> None:
    browser = browser_of(crew.mara)
    dispute = logged(crew, browser)
    Dispute.objects.create(
        casino=crew.harbour,
        number=2,
        subject_kind="round",
        subject_index=0,
        grounds="other",
        logged_by=crew.cleo,
        logged_by_name="Cleo",
        logged_at=NOW,
        waiting_since_at=NOW,
        log="harbour",
        entry_index=10**6,
    )
    for number, status in ((1, 200), (2, 404)):
        assert browser.get(f"{ALL}{number}/").status_code == status
    listed = browser.get(ALL).content.decode()
    assert "D-1" in listed
    assert "D-2" not in listed
    assert "Log a dispute about a promotion" in listed
    for closed in ("new/", "repeated/", "times/", f"{dispute.number}/note/", f"{dispute.number}/outcome/"):
        assert browser.get(f"{ALL}{closed}").status_code == 404
    outsider = hire("milo", crew.cast.marina, Role.MARKETING, by=crew.cast.otto)
    give_phone(outsider)
    assert browser_of(outsider).get(f"{ALL}1/").status_code == 404


def test_closed_without_advice_is_flagged_by_its_own_clause(crew: Crew) -> None:
    dispute = logged(crew, browser_of(crew.mara))
    do(crew.cleo, "decide", **DECISION)
    do(crew.cleo, "tell", **TOLD)
    close_dispute(
        dispute=dispute, reason="Over.", unadvised_because="Left.", actor=crew.cleo, now=dispute.logged_at + HOUR
    )
    list(audit_log(crew.harbour))
    [finding] = Finding.objects.current().filter(code__startswith="DISPUTE")
    assert (finding.code, finding.clause) == ("DISPUTE-NO-ADVICE", "10.11")


def test_the_file_and_the_letter_speak_of_the_claim_and_not_of_a_round(crew: Crew) -> None:
    dispute = logged(crew, browser_of(crew.mara))
    now = dispute.logged_at + HOUR
    record_complaint(dispute=dispute, received="writing", actor=crew.mara, now=now)
    said = InspectorDeterminationBody(
        outcome="substantiated", reasons="The claim came in time.", amount_cents=2_500_000
    )
    determine_complaint(dispute=dispute, determination=said, actor=crew.cast.ines, now=now + MINUTE)
    it = Dispute.objects.with_file().get()
    paper = extract_text(dispute_file(it, patron=None, is_government=True, made_for="Ines", now=now + HOUR))
    assert "2. What it is about, as it was recorded Claim C-1 on “Hatchback”" in paper
    assert "$25,000.00" in paper
    assert "7. Proof of the entry" in paper
    assert "Pat Example" not in paper
    letter = extract_text(render_outcome_letter(it))
    assert "You complained about claim C-1 on “Hatchback”." in letter
    assert "The operator is to pay you $25,000.00." in letter
    assert "round" not in letter


def test_an_amount_above_the_value_of_the_claimed_prize_is_pointed_out(crew: Crew) -> None:
    dispute, browser = logged(crew, browser_of(crew.mara)), browser_of(crew.cleo)
    assert "The prize that was claimed has a value of $25,000.00." in browser.get(f"{ALL}1/decide/").content.decode()
    doubt = "$25,000.01 is more than the $25,000.00 that the claimed prize is worth."
    for amount, doubts in (("25000.01", [doubt]), ("25000", [])):
        typed = {**DECISION, "outcome": "upheld", "amount": amount, **sign_off(crew.cleo)}
        page = browser.post(f"{ALL}1/decide/", typed)
        assert list(shown_prediction(page).doubts) == doubts
        assert Step.objects.filter(dispute=dispute).count() == (0 if doubts else 1)
