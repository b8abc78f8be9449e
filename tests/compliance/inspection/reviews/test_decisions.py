"""Decisions: each is an entry, a changed one is another entry, and claims and optimistic locks are enforced."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from compliance.core.accounts.separation import TookPartBefore
from compliance.core.web.errors import NotFound
from compliance.inspection.reviews.errors import (
    DecidedMeanwhile,
    FindingLapsed,
    HeldByAnother,
    NothingToConfirm,
)
from compliance.inspection.reviews.models import Decision, Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.services import (
    DecisionInput,
    claim_finding,
    confirm_decision,
    decide_group,
    reopen_expired_risks,
    set_review_policy,
)
from compliance.inspection.reviews.states import TRANSITIONS, ReviewState
from rounds.intake.protocol.fields import Staff
from rounds.intake.protocol.table import Correction
from rounds.ledger.readers.consumer import read_entries_at
from rounds.ledger.verify.verify_log import verify_log
from rounds.transparency_log.formats.salted_digests import matches_digest
from tests.compliance.inspection.reviews.scenario import DAY, ReviewScenario


def entry_of(decision: Decision) -> dict[str, object]:
    [entry] = read_entries_at("harbour", [decision.entry_index])
    assert entry.kind == "finding-decision"
    return entry.content()


def test_a_decision_is_an_entry_that_does_not_tell_the_note(office: ReviewScenario) -> None:
    [review] = office.overpay()
    decision = office.decide(review, note="The dealer misread the box.")
    said = entry_of(decision)
    assert said["finding"] == review.finding.entry_index
    assert said["outcome"] == "upheld"
    assert said["reason"] == "staff-error"
    assert said["by"] == {"id": office.ines.pk, "name": "Ines"}
    assert "misread" not in str(said)
    note = {"note": "The dealer misread the box."}
    assert matches_digest(note, bytes(decision.note_salt), str(said["note_sha256"]))
    review.refresh_from_db()
    assert (review.state, review.outcome, review.decided_times) == ("decided", "upheld", 1)


def test_a_changed_mind_is_another_entry_and_the_first_stays(office: ReviewScenario) -> None:
    [review] = office.overpay()
    first = office.decide(review)
    second = office.decide(review, Outcome.EXPLAINED, at=office.now + DAY)
    assert (first.number, second.number) == (1, 2)
    assert entry_of(first)["outcome"] == "upheld"
    assert entry_of(second)["outcome"] == "explained"
    review.refresh_from_db()
    assert review.outcome == "explained"


def test_what_another_holds_or_has_decided_is_not_decided_again_unseen(office: ReviewScenario) -> None:
    [review] = office.overpay()
    claim_finding(review=review, actor=office.iris, now=office.now)
    with pytest.raises(HeldByAnother, match="Iris"):
        office.decide(review)
    # Half an hour later the claim has expired, but nobody else took the finding, so the decision counts.
    later = office.now + timedelta(minutes=30)
    office.decide(review, at=later)
    with pytest.raises(DecidedMeanwhile):
        office.decide(review, by=office.iris, seen=0, at=later)
    assert Decision.objects.count() == 1


def test_only_those_who_review_there_decide(office: ReviewScenario) -> None:
    [review] = office.overpay()
    for person in (office.cora, office.sid, office.house.crew.cast.otto):
        with pytest.raises(NotFound):
            office.decide(review, by=person)
    office.decide(review, by=office.olga)


def test_a_risk_is_accepted_until_a_date_and_opens_again_on_it(office: ReviewScenario) -> None:
    [review] = office.overpay()
    decision = office.decide(review, Outcome.RISK_ACCEPTED)
    until = decision.accepted_until
    assert until is not None
    assert reopen_expired_risks(casino=office.casino, now=until - timedelta(microseconds=1)) == []
    [reopened] = reopen_expired_risks(casino=office.casino, now=until)
    assert reopen_expired_risks(casino=office.casino, now=until) == []
    [entry] = read_entries_at("harbour", [reopened.entry_index])
    assert (entry.kind, entry.content()["decision"]) == ("finding-reopened", decision.entry_index)
    review.refresh_from_db()
    assert (review.state, review.outcome, review.reopens_at) == ("open", "", None)


def test_without_a_date_no_risk_is_accepted_whatever_the_code_does(office: ReviewScenario) -> None:
    [review] = office.overpay()
    with pytest.raises(IntegrityError, match="reviews_decision_risk_expires"), transaction.atomic():
        office.decide(review, Outcome.RISK_ACCEPTED, accepted_until=None)


def test_a_second_reviewer_where_the_casino_is_arranged_so(office: ReviewScenario) -> None:
    hours = {"serious": 12, "breach": 72, "note": 336}
    with pytest.raises(NotFound):
        set_review_policy(
            casino=office.casino,
            service_hours=hours,
            seconded=["serious"],
            reason="Trial.",
            actor=office.ines,
            now=office.now,
        )
    set_review_policy(
        casino=office.casino,
        service_hours=hours,
        seconded=["serious"],
        reason="Trial.",
        actor=office.olga,
        now=office.now,
    )
    [review] = office.overpay()
    assert review.due_at - review.opened_at == timedelta(hours=12)
    decision = office.decide(review)
    review.refresh_from_db()
    assert (decision.is_to_be_seconded, review.state) == (True, "seconding")
    with pytest.raises(TookPartBefore):
        confirm_decision(decision=decision, agrees=True, note="", actor=office.ines, now=office.now)
    confirm_decision(decision=decision, agrees=False, note="Look again.", actor=office.iris, now=office.now)
    review.refresh_from_db()
    assert (review.state, review.outcome) == ("open", "")
    again = office.decide(review, Outcome.EXPLAINED)
    confirm_decision(decision=again, agrees=True, note="", actor=office.iris, now=office.now)
    review.refresh_from_db()
    assert (review.state, review.outcome) == ("decided", "explained")
    with pytest.raises(NothingToConfirm):
        confirm_decision(decision=again, agrees=True, note="", actor=office.olga, now=office.now)


def test_a_question_needs_no_second_reviewer(office: ReviewScenario) -> None:
    set_review_policy(
        casino=office.casino,
        service_hours={"serious": 1, "breach": 1, "note": 1},
        seconded=["serious"],
        reason="Trial.",
        actor=office.olga,
        now=office.now,
    )
    [review] = office.overpay()
    office.decide(review, Outcome.NEEDS_INFORMATION)
    review.refresh_from_db()
    assert review.state == "asked"


def test_a_finding_that_the_audit_takes_back_lapses(office: ReviewScenario) -> None:
    [review] = office.overpay()
    house = office.house
    house.report("correction", Correction(corrects=1, reason="Wrong round.", by=Staff(position="dealer")))
    office.audit()
    review.refresh_from_db()
    assert review.state == "lapsed"
    with pytest.raises(FindingLapsed):
        office.decide(review)


def test_many_are_decided_together_each_with_an_entry_of_its_own(office: ReviewScenario) -> None:
    reviews = office.overpay(5)
    claim_finding(review=reviews[0], actor=office.iris, now=office.now)
    decided = office_decided()
    group = Review.objects.filter(code="SETTLE-OVERPAID", bet="small")
    made = decide_group(
        casino=office.casino, group=group, decided=decided, expected=4, actor=office.ines, now=office.now
    )
    assert len(made) == 4
    assert len({entry_of(one)["finding"] for one in made}) == 4
    assert len({one.together for one in made}) == 1
    assert [one.note_salt for one in made].count(made[0].note_salt) == 1
    assert set(Review.objects.values_list("state", flat=True)) == {"decided", "open"}


def office_decided() -> DecisionInput:
    return DecisionInput(outcome=Outcome.UPHELD, reason="configuration", note="One wrong odd.")


def test_the_database_itself_refuses_what_the_table_of_states_does_not_have(office: ReviewScenario) -> None:
    [review] = office.overpay()
    decision = office.decide(review)
    for statement in (
        f"UPDATE reviews_decision SET outcome = 'explained' WHERE id = {decision.pk}",
        f"DELETE FROM reviews_decision WHERE id = {decision.pk}",
        "TRUNCATE reviews_decision CASCADE",
        f"DELETE FROM reviews_review WHERE id = {review.pk}",
        f"UPDATE reviews_review SET decided_times = 0 WHERE id = {review.pk}",
    ):
        with pytest.raises(DatabaseError, match=r"permission denied|refused|forgotten"), transaction.atomic():
            connection.cursor().execute(statement)


UPDATE = "UPDATE reviews_review SET state = %s, answer_due_at = now() WHERE id = %s"


def test_the_database_knows_the_same_states_as_the_code(office: ReviewScenario) -> None:
    """Each pair of states is tried from a row in the first of them."""
    [review] = office.overpay()
    found: dict[ReviewState, set[ReviewState]] = {state: set() for state in ReviewState}
    for one in ReviewState:
        for other in set(ReviewState) - {one}:
            try:
                with transaction.atomic():
                    with connection.cursor() as cursor:
                        for step in way_to(one):
                            cursor.execute(UPDATE, [step, review.pk])
                        cursor.execute(UPDATE, [other, review.pk])
                    found[one].add(other)
                    transaction.set_rollback(True)
            except IntegrityError:
                pass
    assert found == {state: set(others) - {state} for state, others in TRANSITIONS.items()}


def way_to(state: ReviewState) -> list[ReviewState]:
    return {ReviewState.OPEN: [], ReviewState.ANSWERED: [ReviewState.ASKED, ReviewState.ANSWERED]}.get(state, [state])


def test_the_ledger_agrees_with_every_row(committed_office: ReviewScenario) -> None:
    office = committed_office
    first, second = office.overpay(2)
    office.decide(first, Outcome.RISK_ACCEPTED)
    office.decide(second, Outcome.NEEDS_INFORMATION)
    reopen_expired_risks(casino=office.casino, now=office.now + 31 * DAY)
    verdict = verify_log("harbour")
    assert verdict.checked["records"] > 0
    assert [misfit for misfit in verdict.issues if misfit.check == "records"] == []
