"""Second reviews, answers and comments that were recorded in error: the review goes back to the state before them."""

from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from compliance.core.accounts.models import User
from compliance.core.corrections.errors import NotAuthorOrSuperior, StillNeeded
from compliance.core.corrections.services import withdraw_record
from compliance.inspection.reviews.models import Answer, Comment, Confirmation, Decision
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.services import (
    answer_question,
    comment_on_finding,
    confirm_decision,
    set_review_policy,
)
from rounds.ledger import entry_at, verify_log
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import ReviewScenario

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ledger_key(tmp_path: Path, settings: Settings) -> None:
    """For verify_log."""
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)


def withdraw(office: ReviewScenario, index: int, by: User) -> None:
    entry = entry_at("harbour", index)
    assert entry is not None
    withdraw_record(casino=office.casino, entry=entry, reason="Wrong finding.", actor=by, now=office.now)


def misfits() -> list[str]:
    """Without those of the rounds, which the scenario plays without signed batches."""
    return [found.sentence for found in verify_log("harbour").issues if "signed batches" not in found.sentence]


@pytest.mark.parametrize(("agrees", "state"), [(True, "decided"), (False, "open")])
def test_a_second_review(office: ReviewScenario, agrees: bool, state: str) -> None:
    hours = {"serious": 12, "breach": 72, "note": 336}
    set_review_policy(
        casino=office.casino, service_hours=hours, seconded=["serious"], reason="x", actor=office.olga, now=office.now
    )
    [review] = office.overpay()
    decision = office.decide(review)
    second = confirm_decision(decision=decision, agrees=agrees, note="Seen.", actor=office.iris, now=office.now)
    review.refresh_from_db()
    assert review.state == state
    with pytest.raises(NotAuthorOrSuperior):
        withdraw(office, second.entry_index, office.ines)
    with pytest.raises(IntegrityError, match="stands already"), transaction.atomic():
        second.pk, second.entry_index = None, 900_001
        second.save(force_insert=True)
    withdraw(office, Confirmation.objects.get().entry_index, office.olga)
    review.refresh_from_db()
    assert (review.state, review.outcome) == ("seconding", "upheld")
    assert not Confirmation.objects.exists()
    page = browser_of(office.iris).get(f"/casinos/harbour/reviews/{review.finding.entry_index}/").content.decode()
    assert "<del>Second review of a decision" in page
    confirm_decision(decision=decision, agrees=True, note="", actor=office.iris, now=office.now)
    review.refresh_from_db()
    assert review.state == "decided"
    assert misfits() == []


def test_the_database_accepts_no_second_review_by_an_earlier_decider(office: ReviewScenario) -> None:
    """Ines decided first and Olga last: Ines cannot confirm, not even by a statement of the app role."""
    [review] = office.overpay()
    office.decide(review)
    last = office.decide(review, by=office.olga)
    row = Confirmation(
        decision=last, agrees=True, note_salt=b"", confirmed_by=office.ines, confirmed_by_name="Ines",
        confirmed_at=office.now, log="harbour", entry_index=900_002,
    )  # fmt: skip
    with pytest.raises(IntegrityError, match="cannot confirm it"), transaction.atomic():
        row.save(force_insert=True)


def test_an_answer(office: ReviewScenario) -> None:
    [review] = office.overpay()
    question = office.decide(review, Outcome.NEEDS_INFORMATION)
    answer = answer_question(decision=question, text="Nobody.", actor=office.cora, now=office.now)
    withdraw(office, answer.entry_index, office.cora)
    review.refresh_from_db()
    assert review.state == "asked"
    listed = browser_of(office.cora).get("/casinos/harbour/questions/").content.decode()
    assert "Questions that wait for an answer" in listed
    again = answer_question(decision=question, text="The dealer.", actor=office.cora, now=office.now)
    assert list(Answer.objects.all()) == [again]
    office.decide(review, by=office.iris)
    with pytest.raises(StillNeeded, match="decision 2"):
        withdraw(office, again.entry_index, office.cora)
    assert misfits() == []


def test_a_comment(office: ReviewScenario) -> None:
    [review] = office.overpay()
    finding, number = review.finding, review.finding.entry_index
    comment = comment_on_finding(finding=finding, text="It was the other seat.", actor=office.cora, now=office.now)
    cora, page = browser_of(office.cora), f"/casinos/harbour/entries/{comment.entry_index}/withdraw/"
    fragment = f"/casinos/harbour/findings/{number}/decisions/"
    assert page in cora.get(fragment).content.decode()
    assert cora.post(page, {"reason": "Wrong finding."}).status_code == 302
    assert not Comment.objects.exists()
    assert "Reason: Wrong finding." in browser_of(office.ines).get(fragment).content.decode()
    assert Decision.objects.count() == 0
