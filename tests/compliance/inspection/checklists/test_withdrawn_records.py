"""Decisions, checks of sampled rounds and sign-offs withdrawn: where the state goes back to."""

from datetime import datetime
from pathlib import Path

import pytest
from pytest_django import Settings

from compliance.core.accounts.models import User
from compliance.core.corrections.errors import StillNeeded
from compliance.core.corrections.services import withdraw_record
from compliance.inspection.checklists.models import SampledRound
from compliance.inspection.reviews.outcomes import Outcome
from rounds.ledger import entry_at, verify_log
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.checklists.scenario import ChecklistScenario
from tests.compliance.inspection.reviews.scenario import DAY, ReviewScenario


def withdraw(index: int, by: User, at: datetime) -> int:
    entry = entry_at("harbour", index)
    assert entry is not None
    [casino] = {role.casino for role in by.roles_now()}
    return withdraw_record(casino=casino, entry=entry, reason="Recorded in error.", actor=by, now=at)


def issues() -> list[str]:
    """What verify_ledger reports, apart from lines that the test sent without a signed batch."""
    found = (issue.sentence for issue in verify_log("harbour").issues)
    return [sentence for sentence in found if "signed batches" not in sentence]


@pytest.fixture(autouse=True)
def ledger_key(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)


def test_a_finding_is_open_again_when_its_decision_was_withdrawn(office: ReviewScenario) -> None:
    [review] = office.overpay()
    first = office.decide(review)
    second = office.decide(review, Outcome.EXPLAINED, at=office.now + DAY)
    with pytest.raises(StillNeeded, match="decision 2"):
        withdraw(first.entry_index, office.ines, office.now + DAY)
    states = []
    for decision in (second, first):
        withdraw(decision.entry_index, office.ines, office.now + DAY)
        review.refresh_from_db()
        states.append((review.state, review.outcome, review.decided_times))
        assert issues() == []
    assert states == [("decided", "upheld", 2), ("open", "", 2)]
    assert office.decide(review, at=office.now + 2 * DAY).number == 3
    assert issues() == []


def test_a_sampled_round_has_its_earlier_verdict_again(desk: ChecklistScenario) -> None:
    desk.play(honest=2)
    sample = desk.sample(size=1)
    page = f"/casinos/harbour/samples/{sample.entry_index}/rounds/1/"
    browser = browser_of(desk.ines)
    for seen, verdict in enumerate(("in-order", "not-in-order")):
        sent = browser.post(page, {"verdict": verdict, "note": "Looked at.", "seen": seen})
        assert sent.status_code == 302, sent.content.decode()
    sampled = SampledRound.objects.get()
    verdicts = []
    for check in sampled.checks.order_by("-number"):
        withdraw(check.entry_index, desk.ines, desk.now)
        sampled.refresh_from_db()
        verdicts.append(sampled.verdict)
    assert verdicts == ["in-order", ""]
    assert "<del>" in browser.get(page).content.decode()


def test_a_checklist_whose_sign_off_was_withdrawn_says_so(desk: ChecklistScenario) -> None:
    desk.play(honest=1)
    checklist = desk.begin()
    desk.answer_all(checklist)
    signed = desk.sign(checklist)
    withdraw(signed.entry_index, desk.ines, desk.now)
    page = browser_of(desk.ines).get(f"/casinos/harbour/checklists/{checklist.entry_index}/").content.decode()
    assert "Sign-off withdrawn" in page
    assert "Reason: Recorded in error." in page
    assert desk.begin(supersedes=checklist).drafts.count() == checklist.answers.count()
    assert issues() == []
