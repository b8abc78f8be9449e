"""Withdrawal of records: by whom, once, in which order, and where the state goes back to. The log stays whole."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.services.roles import end_role
from compliance.core.corrections.errors import NotAuthorOrSuperior, StillNeeded, WithdrawnAlready
from compliance.core.corrections.registry import correctable_records
from compliance.core.corrections.services import withdraw_record
from compliance.core.web.errors import NotFound
from compliance.disputes.entry_bodies import InspectorDeterminationBody
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute, Step
from compliance.disputes.pdf.outcome_letter import render_outcome_letter
from compliance.disputes.services import determine_complaint, record_complaint
from rounds.ledger import entry_at, verify_log
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.disputes.disputed_round import MINUTE, NOW, NSW, Floor, make_disputed_floor
from tests.pdf_text import extract_text

pytestmark = pytest.mark.django_db
LATER = NOW + 30 * MINUTE


@pytest.fixture
def floor(tmp_path: Path, settings: Settings) -> Floor:
    return make_disputed_floor(tmp_path, settings)


def withdraw(casino: Casino, index: int, by: User, at: datetime = LATER, reason: str = "Typed wrongly.") -> int:
    entry = entry_at(casino.slug, index)
    assert entry is not None
    return withdraw_record(casino=casino, entry=entry, reason=reason, actor=by, now=at)


@pytest.fixture
def decided(floor: Floor) -> Step:
    """Decided by Gina, a games supervisor, with an absurd amount."""
    floor.open_table(NSW)
    floor.decide(floor.log(), floor.gina, outcome="upheld", amount_cents=9_999_999_900)
    return Step.objects.get(kind="dispute-decided")


def test_the_author_withdraws_and_decides_anew(floor: Floor, decided: Step) -> None:
    index = withdraw(floor.harbour, decided.entry_index, floor.gina)
    correction = entry_at("harbour", index)
    assert correction is not None
    assert correction.content() == {
        "corrects": decided.entry_index,
        "reason": "Typed wrongly.",
        "by": floor.gina.as_entry_reference(),
    }
    dispute = Dispute.objects.get()
    assert (dispute.state, dispute.outcome, dispute.waiting_since_at) == (DisputeState.WAITING, "", dispute.logged_at)
    assert dispute.due_at is not None
    floor.decide(dispute, floor.gina)
    assert [step.said["outcome"] for step in Step.objects.filter(kind="dispute-decided")] == ["refused"]
    assert Step.recorded.filter(kind="dispute-decided").count() == 2
    assert verify_log("harbour").issues == ()


@pytest.mark.parametrize("name", ["sid", "sam", "cora"])
def test_a_superior_withdraws(floor: Floor, decided: Step, name: str) -> None:
    withdraw(floor.harbour, decided.entry_index, getattr(floor, name))
    assert not Step.objects.filter(kind="dispute-decided").exists()


@pytest.mark.parametrize("name", ["ines", "alf"])
def test_the_inspectorate_withdraws_no_record_of_the_casino(floor: Floor, decided: Step, name: str) -> None:
    with pytest.raises(NotAuthorOrSuperior):
        withdraw(floor.harbour, decided.entry_index, getattr(floor, name))


def test_somebody_of_the_same_rank_or_of_another_casino_does_not(floor: Floor, decided: Step) -> None:
    floor.tell(Dispute.objects.get(), "accepts", by=floor.sid)
    told = Step.objects.get(kind="dispute-told")
    for person in (floor.sue, floor.gina, floor.crew.cast.otto):
        with pytest.raises(NotAuthorOrSuperior):
            withdraw(floor.harbour, told.entry_index, person)
    entry = entry_at("harbour", told.entry_index)
    assert entry is not None
    with pytest.raises(NotFound):
        withdraw_record(
            casino=floor.crew.cast.marina, entry=entry, reason="Mine.", actor=floor.crew.cast.otto, now=LATER
        )


def test_an_author_who_left_does_not_but_a_superior_of_the_stated_role_does(floor: Floor, decided: Step) -> None:
    [held] = floor.gina.roles.current().filter(casino=floor.harbour)
    end_role(held=held, actor=floor.crew.cast.ada, now=NOW)
    with pytest.raises(NotAuthorOrSuperior):
        withdraw(floor.harbour, decided.entry_index, floor.gina)
    with pytest.raises(NotAuthorOrSuperior):
        withdraw(floor.harbour, decided.entry_index, floor.alf)
    withdraw(floor.harbour, decided.entry_index, floor.sid)


def test_a_second_withdrawal_is_refused(floor: Floor, decided: Step) -> None:
    withdraw(floor.harbour, decided.entry_index, floor.gina)
    with pytest.raises(WithdrawnAlready, match="withdrawn before"):
        withdraw(floor.harbour, decided.entry_index, floor.sid)


def test_later_steps_are_withdrawn_first(floor: Floor, decided: Step) -> None:
    dispute = Dispute.objects.get()
    floor.tell(dispute, "review")
    with pytest.raises(StillNeeded, match="Patron told; Review requested"):
        withdraw(floor.harbour, decided.entry_index, floor.gina)
    states = []
    for kind in ("dispute-review-requested", "dispute-told", "dispute-decided"):
        withdraw(floor.harbour, Step.objects.get(kind=kind).entry_index, floor.gina)
        dispute.refresh_from_db()
        states.append((dispute.state, dispute.rung, dispute.is_satisfied))
        assert verify_log("harbour").issues == ()
    assert states == [("told", 0, False), ("decided", 0, None), ("waiting", 0, None)]


def test_the_database_refuses_a_second_decision_while_the_first_stands(floor: Floor, decided: Step) -> None:
    def copy_of_decision(entry_index: int) -> Step:
        return Step(
            dispute=decided.dispute, kind=decided.kind, rung=0, by=floor.gina, by_name="Gina", at=NOW,
            role=Role.GAMES_SUPERVISOR, recorded_at=NOW, said=decided.said, log="harbour", entry_index=entry_index,
        )  # fmt: skip

    with pytest.raises(IntegrityError, match="stands already"), transaction.atomic():
        copy_of_decision(900_001).save(force_insert=True)
    withdraw(floor.harbour, decided.entry_index, floor.gina)
    copy_of_decision(900_001).save(force_insert=True)


def test_the_next_letter_says_that_an_earlier_outcome_was_withdrawn(floor: Floor, decided: Step) -> None:
    dispute = Dispute.objects.get()
    record_complaint(dispute=dispute, received="writing", actor=floor.ines, now=LATER)
    said: dict[str, Any] = {"outcome": "substantiated", "amount_cents": 7_000}
    for minutes, reasons in ((1, "It lay on ten."), (3, "It lay on nine.")):
        body = InspectorDeterminationBody(reasons=reasons, **said)
        step = determine_complaint(dispute=dispute, determination=body, actor=floor.ines, now=LATER + minutes * MINUTE)
        letter = extract_text(render_outcome_letter(Dispute.objects.with_file().get()))
        if minutes == 1:
            assert "corrected an earlier outcome" not in letter
            withdraw(floor.harbour, step.entry_index, floor.alf, LATER + 2 * MINUTE)
    assert "corrected an earlier outcome" in letter
    assert "It lay on nine." in letter
    assert "It lay on ten." not in letter


def test_the_pages(floor: Floor, decided: Step) -> None:
    page, dispute = f"/casinos/harbour/entries/{decided.entry_index}/withdraw/", Dispute.objects.get()
    gina, ines = browser_of(floor.gina), browser_of(floor.ines)
    assert page in gina.get(dispute.get_absolute_url()).content.decode()
    assert page not in ines.get(dispute.get_absolute_url()).content.decode()
    assert ines.get(page).status_code == 403
    assert browser_of(floor.crew.cast.otto).get(page).status_code == 404
    assert "Say why." in gina.post(page, {"reason": ""}).content.decode()
    assert Step.objects.filter(kind="dispute-decided").exists()
    answer = gina.post(page, {"reason": "Two zeros too many."})
    assert (answer.status_code, answer.headers["Location"]) == (302, dispute.get_absolute_url())
    shown = ines.get(dispute.get_absolute_url()).content.decode()
    assert "<del>Dispute decided: D-1: upheld</del>" in shown
    assert "by Gina. Reason: Two zeros too many." in shown
    again = gina.post(page, {"reason": "Again."})
    assert again.status_code == 200
    assert "cannot be withdrawn again" in again.content.decode()


def test_every_app_registers_its_records() -> None:
    kinds = {str(record.kind) for record in correctable_records()}
    assert kinds >= {
        "finding-decision", "dispute-decided", "dispute-paid", "fault", "inspection", "void-set", "stakes-returned",
        "wager-refusal", "under-minimum-warning", "round", "promotion-terms", "promotion-drawn", "promotion-winner",
        "promotion-winner-told", "promotion-claim-decided", "promotion-prize-paid", "checklist-signed",
        "checklist-answer", "sample-round-checked",
    }  # fmt: skip
