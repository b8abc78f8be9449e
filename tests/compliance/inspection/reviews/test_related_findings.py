"""Records related to a finding: disputes of its round, its shift, its dealer position; and alerts about questions."""

from datetime import timedelta

import msgspec
import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compliance.disputes.services import log_dispute
from compliance.disputes.subject.disputed_entry import subject_at
from compliance.inspection.reviews.models import Decision, Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.selectors import (
    count_reviews,
    findings_of_same_shift,
    group_reviews,
    reviews_of_same_dealer,
)
from compliance.inspection.reviews.services import (
    DecisionInput,
    answer_question,
    claim_finding,
    decide_group,
    remind_of_unanswered,
)
from compliance.inspection.reviews.services.finding_claims import CLAIM_DURATION
from compliance.notify.alerts.models import Alert
from rounds.floor.fact_values import Shift, ShiftsValue
from rounds.intake.protocol.fields import Staff
from tests.compliance.audit.house import shifted
from tests.compliance.audit.round_builders import NSW, build_round, wager
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.inspection.reviews.scenario import ReviewScenario, many_reviews
from tests.rounds.floor.crew import record_table_fact

QUEUE = "/casinos/harbour/reviews/"


@pytest.fixture
def inspector(office: ReviewScenario) -> Client:
    return browser_of(office.ines)


def dealt(office: ReviewScenario, name: str, number: str, later: timedelta = timedelta(0)) -> None:
    """An overpaid round whose winners this dealer paid. Play begins at 8 pm in Sydney."""
    body = build_round(NSW, (4, 2, 4), wager("small", 2_500, 5_100, id="w-7"), round=name)
    last = body.events[-1]
    paid = msgspec.structs.replace(
        last, name="winners-paid", at=last.at + timedelta(seconds=9), by=Staff(position="dealer", number=number)
    )
    office.house.report("round", shifted(msgspec.structs.replace(body, events=(*body.events, paid)), later))


def test_disputes_shift_and_dealer_position_are_on_the_page(office: ReviewScenario, inspector: Client) -> None:
    office.house.open_table()
    shifts = (Shift(name="Day", starts="06:00"), Shift(name="Night", starts="20:05"))
    record_table_fact(office.house.crew, None, ShiftsValue(shifts=shifts))
    dealt(office, "r-1", "D-112")
    dealt(office, "r-2", "D-112", timedelta(minutes=10))
    dealt(office, "r-3", "D-113", timedelta(minutes=20))
    overpaid = (one for one in office.audit() if one.code == "SETTLE-OVERPAID")
    first, second, third = sorted(overpaid, key=lambda one: one.finding.at)
    name, same_shift = findings_of_same_shift(second.finding) or ("", [])
    assert (name, [one.pk for one in same_shift if one.code == "SETTLE-OVERPAID"]) == ("Night", [third.finding_id])
    assert [one.pk for one in reviews_of_same_dealer(second) if one.code == "SETTLE-OVERPAID"] == [first.pk]
    subject = subject_at(office.casino, second.finding.subject_index)
    assert subject is not None
    log_dispute(
        subject=subject,
        wagers=["w-7"],
        grounds="other",
        statement="Odd.",
        present=[],
        patron=None,
        actor=office.sid,
        now=office.now,
    )
    page = inspector.get(f"{QUEUE}{second.finding.entry_index}/").content.decode()
    assert "Other findings of the shift Night" in page
    assert f"{QUEUE}{third.finding.entry_index}/" in page
    assert f"{QUEUE}{first.finding.entry_index}/" in page
    assert ">D-1</a>" in page


def test_what_lies_beside_takes_as_many_queries_for_many_as_for_few(office: ReviewScenario, inspector: Client) -> None:
    office.house.open_table()
    record_table_fact(office.house.crew, None, ShiftsValue(shifts=(Shift(name="Day", starts="06:00"),)))
    dealt(office, "r-1", "D-112")
    review = next(one for one in office.audit() if one.code == "SETTLE-OVERPAID")
    address = f"{QUEUE}{review.finding.entry_index}/"
    office.now = review.finding.at
    many_reviews(office, 1)
    Review.objects.filter(dealer="").update(dealer=review.dealer)
    few = queries(inspector, address)
    many_reviews(office, 300, first=1)
    Review.objects.filter(dealer="").update(dealer=review.dealer)
    assert queries(inspector, address) == few


def queries(browser: Client, address: str) -> int:
    browser.get(address)
    with CaptureQueriesContext(connection) as found:
        assert browser.get(address).status_code == 200
    return len(found)


def test_the_compliance_officer_is_told_of_a_question_once_for_one_act(office: ReviewScenario) -> None:
    [review] = office.overpay()
    decision = office.decide(review, Outcome.NEEDS_INFORMATION, note="I suspect collusion.")
    alert = Alert.objects.get(duty="question-asked")
    assert alert.to == ["compliance-officer"]
    assert alert.about_index == review.finding.entry_index
    assert "SETTLE-OVERPAID" in alert.statement
    assert "due by" in alert.statement
    assert "collusion" not in alert.statement
    assert alert.entry_index < decision.entry_index
    many_reviews(office, 8)
    group = group_reviews(office.casino, "controller", "box-1", "WAGER-LATE")
    asked = DecisionInput(
        outcome=Outcome.NEEDS_INFORMATION,
        reason="circumstances",
        note="x",
        question="Why?",
        due_at=office.now + timedelta(days=1),
    )
    decide_group(casino=office.casino, group=group, decided=asked, expected=4, actor=office.ines, now=office.now)
    assert [one.statement[:45] for one in Alert.objects.filter(duty="question-asked").order_by("pk")][1:] == [
        "The inspectorate asks about 4 findings of WAG"
    ]
    office.decide(Review.objects.filter(code="SETTLE-OVERPAID").exclude(pk=review.pk)[0])
    assert Alert.objects.filter(duty="question-asked").count() == 2, "no other decision asks anything"


def test_whoever_lost_the_claim_keeps_what_they_typed(office: ReviewScenario, inspector: Client) -> None:
    [review] = office.overpay()
    claim_finding(review=review, actor=office.ines, now=office.now - CLAIM_DURATION)
    claim_finding(review=review, actor=office.iris, now=office.now)
    typed = {"reason": "corrected", "note": "My long note.", "seen": "0"} | sign_off(office.ines)
    page = inspector.post(f"{QUEUE}{review.finding.entry_index}/decide/explained/", typed).content.decode()
    assert "Iris is reviewing this finding." in page
    assert "My long note." in page
    assert Decision.objects.count() == 0


def test_a_question_past_its_date_is_shown_to_both_sides_and_alerts_once(
    office: ReviewScenario, inspector: Client
) -> None:
    """Nothing is overdue just before the date; at it, the compliance officer and the inspectors are alerted."""
    first, second = office.overpay(2)
    for review in (first, second):
        office.decide(review, Outcome.NEEDS_INFORMATION)
    due = office.now + timedelta(days=7)
    assert remind_of_unanswered(casino=office.casino, now=due - timedelta(microseconds=1)) == 0
    assert "not answered in time" not in inspector.get("/").content.decode()
    assert remind_of_unanswered(casino=office.casino, now=due) == 2
    assert remind_of_unanswered(casino=office.casino, now=due + timedelta(days=1)) == 0
    alert = Alert.objects.get(duty="question-unanswered")
    assert alert.to == ["compliance-officer", "inspector"]
    assert "What the inspectorate asked about 2 findings of SETTLE-OVERPAID was to be answered by" in alert.statement
    assert (alert.fact_at, alert.about_index) == (due, first.finding.entry_index)
    with time_machine.travel(due, tick=False):
        home = browser_of(office.ines).get("/").content.decode()
        assert "2 questions not answered in time" in home
        assert f"{QUEUE}?state=unanswered" in home
        listed = browser_of(office.ines).get(f"{QUEUE}?state=unanswered")
        assert listed.context["table"].count == 2
        assert "Answer overdue" in listed.content.decode()
        operator = browser_of(office.cora)
        assert operator.get("/").content.decode().count("Answer about SETTLE-OVERPAID") == 2
        assert "Late" in operator.get("/casinos/harbour/questions/").content.decode()
    answer_question(decision=first.finding.decisions.get(), text="D-7.", actor=office.cora, now=due)
    assert count_reviews(office.casino, due).unanswered == 1
    office.decide(second, Outcome.NEEDS_INFORMATION, at=due, due_at=due + timedelta(days=1))
    assert count_reviews(office.casino, due).unanswered == 0, "asked anew, with another date"
    assert remind_of_unanswered(casino=office.casino, now=due + timedelta(days=1)) == 1
