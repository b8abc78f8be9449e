"""Questions to the operator: until when an answer is due, and where that is shown."""

from datetime import timedelta

import pytest
from django.utils import timezone

from compliance.core.web.local_time import format_local
from compliance.inspection.reviews.errors import AnswerDueTooLate
from compliance.inspection.reviews.models import Decision
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.selectors import count_reviews, reviews_of
from compliance.inspection.reviews.services import MAX_ANSWER_TIME, claim_next_finding
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.scenario import DAY, ReviewScenario

QUEUE = "/casinos/harbour/reviews/"


def test_an_answer_is_due_within_three_months(office: ReviewScenario) -> None:
    [review] = office.overpay()
    with pytest.raises(AnswerDueTooLate, match="90 days"):
        office.decide(review, Outcome.NEEDS_INFORMATION, due_at=office.now + MAX_ANSWER_TIME + timedelta(seconds=1))
    assert not Decision.objects.exists()
    inspector = browser_of(office.ines)
    form = {"reason": "circumstances", "question": "Who paid?", "note": "Unclear.", "seen": 0}
    decide = f"{QUEUE}{review.finding.entry_index}/decide/needs-information/"
    refused = inspector.post(decide, form | {"due_at": "2199-01-01T17:00"})
    assert "The operator has at most 90 days to answer" in refused.content.decode()
    assert not Decision.objects.exists()
    due = (timezone.now() + 89 * DAY).strftime("%Y-%m-%dT17:00")
    assert inspector.post(decide, form | {"due_at": due}).status_code == 302
    assert Decision.objects.get().due_at is not None


def test_a_finding_about_which_was_asked_stays_in_the_queue_with_its_date(office: ReviewScenario) -> None:
    asked, other = office.overpay(2)
    office.decide(asked, Outcome.NEEDS_INFORMATION, due_at=office.now + 7 * DAY)
    due = f"Operator asked, answer due {format_local(office.now + 7 * DAY, office.casino)}"
    inspector = browser_of(office.ines)
    assert set(reviews_of(office.casino, {}, office.now)) == {asked, other}
    assert count_reviews(office.casino, office.now).list_size({}) == 2
    queue = inspector.get(QUEUE).content.decode()
    assert due in queue
    assert due in inspector.get(f"{QUEUE}{asked.finding.entry_index}/").content.decode()
    own = browser_of(office.cora).get(f"/casinos/harbour/findings/{asked.finding.entry_index}/decisions/")
    assert due in own.content.decode()
    assert claim_next_finding(casino=office.casino, actor=office.ines, now=office.now) == other
    late = reviews_of(office.casino, {"state": "unanswered"}, office.now + 8 * DAY)
    assert list(late) == [asked]
