"""Each document's ladder from first decision to last, and who is refused. Clauses and ranks as printed."""

import pytest
from django.db import DatabaseError, connection, transaction

from compliance.core.accounts.separation import TookPartBefore
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import InspectorDeterminationBody
from compliance.disputes.errors import (
    AdviceMissing,
    DecidedAlready,
    NoFurtherStep,
    NotAbsent,
    NotAllowedToDecide,
    StepNotAllowedNow,
    StepStillOpen,
)
from compliance.disputes.ladder.states import NEXT_STATES, TRANSITIONS, DisputeState
from compliance.disputes.models import Dispute
from compliance.disputes.services import (
    add_inspector_note,
    advise_patron,
    close_dispute,
    determine_complaint,
    record_complaint,
    request_from_operator,
    request_review,
)
from rounds.ledger.readers.consumer import read_entries
from rounds.transparency_log.tree.merkle import MAX_SIZE
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.disputes.disputed_round import LICENSEE, MINUTE, NOW, NSW, RWS, SKYCITY, Floor
from tests.rounds.floor.crew import refusal_of

AFTER = NOW + 10 * MINUTE


def fresh(dispute: Dispute) -> Dispute:
    return Dispute.objects.with_file().get(pk=dispute.pk)


def test_the_nsw_ladder_to_the_inspectors_outcome(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    assert [rung.clause for rung in dispute.ladder.rungs] == ["9.12", "9.12", "9.13"]
    floor.decide(dispute, floor.gina)
    floor.tell(dispute, "review")
    assert fresh(dispute).current_state is DisputeState.WAITING
    floor.decide(dispute, floor.sid, rung=1)
    floor.tell(dispute, "review")
    floor.decide(dispute, floor.cora, rung=2)
    floor.tell(dispute, "not-satisfied")
    refused = refusal_of(lambda: close_dispute(dispute=dispute, reason="Over.", actor=floor.sid, now=AFTER))
    assert isinstance(refused, AdviceMissing)
    assert "clause 9.13" in refused.detail
    advise_patron(dispute=dispute, how="printed", language="English", actor=floor.sid, now=AFTER)
    record_complaint(dispute=dispute, received="writing", actor=floor.sid, now=AFTER)
    said = InspectorDeterminationBody(outcome="not-substantiated", reasons="The film shows nine.")
    determine_complaint(dispute=dispute, determination=said, actor=floor.ines, now=AFTER)
    close_dispute(dispute=dispute, reason="Letter sent.", actor=floor.ines, now=AFTER)
    assert fresh(dispute).current_state is DisputeState.CLOSED
    kinds_in_order = [entry.kind for entry in read_entries("harbour", 0, MAX_SIZE) if entry.kind.startswith("dispute")]
    assert kinds_in_order == [
        entry_kinds.LOGGED,
        entry_kinds.DECIDED,
        entry_kinds.TOLD,
        entry_kinds.REVIEW,
        entry_kinds.DECIDED,
        entry_kinds.TOLD,
        entry_kinds.REVIEW,
        entry_kinds.DECIDED,
        entry_kinds.TOLD,
        entry_kinds.ADVISED,
        entry_kinds.COMPLAINED,
        entry_kinds.DETERMINED,
        entry_kinds.CLOSED,
    ]


def test_a_reviewer_who_decided_first_is_refused(floor: Floor) -> None:
    """9.12 and N31: in the absence of a games supervisor Sid decided; the review is for somebody else."""
    floor.open_table(NSW)
    dispute = floor.log()
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.sid)), NotAllowedToDecide)
    floor.decide(dispute, floor.sid, in_absence=True)
    floor.tell(dispute, "review")
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.sid, rung=1)), TookPartBefore)
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.gina, rung=1)), NotAllowedToDecide)
    floor.decide(dispute, floor.sue, rung=1)
    assert fresh(dispute).current_state is DisputeState.DECIDED


def test_nobody_decides_because_of_their_own_absence(floor: Floor) -> None:
    """9.12: Gina is a games supervisor, so she cannot decide because no games supervisor was there."""
    floor.open_table(NSW)
    dispute = floor.log()
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.gina, in_absence=True)), NotAbsent)
    page = f"/casinos/harbour/disputes/{dispute.number}/decide/"
    assert 'name="in_absence"' not in browser_of(floor.gina).get(page).content.decode()
    assert 'name="in_absence"' in browser_of(floor.sid).get(page).content.decode()
    floor.decide(dispute, floor.gina)


def test_the_skycity_ladder_ends_with_the_manager_of_the_inspectorate(floor: Floor) -> None:
    """8.h: the House, then the Manager of the inspectorate, who is government; 8.j: told of the Authorised Officer."""
    floor.open_table(SKYCITY)
    dispute = floor.log(floor.play(), wagers=["0041-1"])
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.gina)), NotAllowedToDecide)
    floor.decide(dispute, floor.sid)
    floor.tell(dispute, "not-satisfied")
    assert fresh(dispute).lacks_advice
    request_review(dispute=dispute, actor=floor.sid, now=AFTER)
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.ines, rung=1)), NotAllowedToDecide)
    floor.decide(dispute, floor.alf, rung=1)
    assert isinstance(refusal_of(lambda: floor.tell(dispute, "review", by=floor.sid)), NoFurtherStep)
    floor.tell(dispute, "not-satisfied", by=floor.alf)
    advise_patron(dispute=dispute, how="spoken", language="Mandarin", actor=floor.sid, now=AFTER)
    advised = fresh(dispute).steps.get(kind=entry_kinds.ADVISED)
    assert advised.said["clause"] == "8.j"
    close_dispute(dispute=dispute, reason="Told.", actor=floor.sid, now=AFTER)


def test_rws_is_for_the_shift_manager_or_above(floor: Floor) -> None:
    """5.10 and R11; the document requires no advice, so a dissatisfied patron does not prevent closing."""
    floor.open_table(RWS)
    dispute = floor.log(wagers=[])
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.sid)), NotAllowedToDecide)
    floor.decide(dispute, floor.cora)
    floor.tell(dispute, "not-satisfied")
    close_dispute(dispute=dispute, reason="Explained.", actor=floor.sam, now=AFTER)
    other = floor.log(floor.play("R-2"), wagers=[])
    floor.decide(other, floor.sam)


def test_a_silent_document_leaves_it_to_the_operators_own_procedure(floor: Floor) -> None:
    floor.open_table(LICENSEE)
    dispute = floor.log(wagers=[])
    assert dispute.ladder.is_silent
    assert dispute.current_rung.clause == ""
    floor.decide(dispute, floor.gina)


def test_a_step_is_decided_once_and_closing_waits_for_it(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    refused = refusal_of(lambda: close_dispute(dispute=dispute, reason="Over.", actor=floor.sid, now=AFTER))
    assert isinstance(refused, StepStillOpen)
    assert "games supervisor" in refused.detail
    floor.decide(dispute, floor.gina)
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.gina)), DecidedAlready)
    assert isinstance(refusal_of(lambda: floor.decide(dispute, floor.cora, rung=2)), StepNotAllowedNow)
    assert fresh(dispute).steps.count() == 1


def test_what_an_inspector_notes_is_not_in_the_ledger(floor: Floor) -> None:
    floor.open_table(NSW)
    dispute = floor.log()
    record_complaint(dispute=dispute, received="in-person", actor=floor.ines, now=AFTER)
    add_inspector_note(dispute=dispute, text="The dealer contradicts herself.", actor=floor.ines, now=AFTER)
    request_from_operator(
        dispute=dispute,
        what="footage",
        question="Camera 4, 20:40 to 20:45.",
        due_on=AFTER.date(),
        actor=floor.ines,
        now=AFTER,
    )
    bodies = b"".join(entry.body for entry in read_entries("harbour", 0, MAX_SIZE))
    assert b"contradicts" not in bodies
    assert b"Camera 4" in bodies
    assert b"It lay on ten" not in bodies


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE disputes_dispute SET grounds = 'other'",
        "UPDATE disputes_dispute SET state = 'determined'",
        "DELETE FROM disputes_dispute",
        "UPDATE disputes_step SET by_name = 'Nobody'",
        "DELETE FROM disputes_statement",
        "TRUNCATE disputes_step CASCADE",
        "TRUNCATE disputes_issuedletter",
    ],
)
def test_the_database_keeps_what_was_written(floor: Floor, statement: str) -> None:
    floor.open_table(NSW)
    floor.decide(floor.log(), floor.gina)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_the_database_and_the_code_have_one_table_of_states(db: None) -> None:
    with connection.cursor() as cursor:
        for before in DisputeState:
            for after in DisputeState:
                cursor.execute("SELECT disputes_may_follow(%s, %s)", [before.value, after.value])
                [answer] = cursor.fetchone()
                assert answer is (before is after or after in NEXT_STATES[before]), (before, after)
    assert {
        entry_kinds.DECIDED,
        entry_kinds.TOLD,
        entry_kinds.REVIEW,
        entry_kinds.CLOSED,
        entry_kinds.COMPLAINED,
    } <= set(TRANSITIONS)
