"""Any sequence of steps on disputes under the NSW rules, by anybody of the casino, the government or elsewhere."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from compliance.core.accounts.models import User
from compliance.core.accounts.roles import Role
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import DecisionBody, InspectorDeterminationBody, PatronNotificationBody
from compliance.disputes.ladder.states import TRANSITIONS, DisputeState
from compliance.disputes.models import Dispute, Step
from compliance.disputes.services import (
    add_inspector_note,
    advise_patron,
    answer_request,
    close_dispute,
    decide_dispute,
    determine_complaint,
    issue_letter,
    record_complaint,
    record_decision,
    record_patron_notification,
    record_payment,
    request_from_operator,
    request_review,
    withdraw_dispute,
)
from tests.compliance.core.accounts.people import give_phone, hire
from tests.compliance.disputes.disputed_round import MINUTE, NOW, Floor
from tests.drills.call_sequences.state_machine import ServiceCallMachine
from tests.fixture_snapshots import snapshotted
from tests.rounds.floor.crew import gather

PEOPLE = st.sampled_from(["gina", "sid", "sue", "sam", "cora", "ines", "alf", "otto"])
WHICH = st.integers(0, 3)
OUTCOMES = st.sampled_from(["upheld", "partly", "refused", "void"])
YES = st.booleans()


@snapshotted
def dispute_floor() -> Floor:
    crew = gather()
    roles = {"sue": Role.CASINO_SUPERVISOR, "sam": Role.SHIFT_MANAGER, "alf": Role.AUTHORITY_OFFICER}
    hired = [hire(name, crew.harbour, role, by=crew.cast.ada) for name, role in roles.items()]
    for person in hired:
        give_phone(person)
    floor = Floor(crew, *hired)
    floor.open_table()
    return floor


class AnyDisputes(ServiceCallMachine):
    name = "disputes"

    def begin(self) -> None:
        self.floor = dispute_floor()
        self.now = NOW
        self.disputes: list[Dispute] = []
        # Those who decided on the screen, by dispute: one dispute's deciders must be different people.
        self.deciders: dict[int, list[User]] = {}
        self.log_another("gina")

    def _by(self, name: str) -> dict[str, Any]:
        self.now += MINUTE
        floor = self.floor
        person = floor.crew.cast.otto if name == "otto" else getattr(floor, name)
        return {"actor": person, "now": self.now}

    def _on(self, which: int, name: str) -> dict[str, Any]:
        return {"dispute": self.disputes[which % len(self.disputes)], **self._by(name)}

    @rule(name=PEOPLE)
    def log_another(self, name: str) -> None:
        subject = self.floor.play(f"R-{len(self.disputes)}-{self.now:%H%M}")
        logged = self.attempt(lambda: self.floor.log(subject, **self._by(name)))
        if logged is not None:
            self.disputes.append(logged)

    @rule(which=WHICH, name=PEOPLE, rung=st.integers(-1, 3), outcome=OUTCOMES, in_absence=YES)
    def decide(self, which: int, name: str, rung: int, outcome: Any, in_absence: bool) -> None:
        said, decision = (
            self._on(which, name),
            DecisionBody(outcome=outcome, reasons="So it lay.", in_absence=in_absence),
        )
        if self.attempt(lambda: decide_dispute(rung=rung, decision=decision, **said)):
            self.deciders.setdefault(said["dispute"].pk, []).append(said["actor"])

    @rule(which=WHICH, name=PEOPLE, decider=PEOPLE, rung=st.integers(-1, 3), outcome=OUTCOMES, late=st.integers(-5, 5))
    def write_down_a_decision(self, which: int, name: str, decider: str, rung: int, outcome: Any, late: int) -> None:
        decided_by, said = self._by(decider)["actor"], self._on(which, name)
        decision = DecisionBody(outcome=outcome, reasons="Decided at the table.")
        self.attempt(
            lambda: record_decision(
                rung=rung,
                decision=decision,
                decider=decided_by,
                role=Role.CASINO_SUPERVISOR,
                at=self.now - late * MINUTE,
                **said,
            )
        )

    @rule(which=WHICH, name=PEOPLE, answer=st.sampled_from(["accepts", "not-satisfied", "review", "left"]))
    def tell(self, which: int, name: str, answer: Any) -> None:
        telling = PatronNotificationBody(
            told="The wager lost.", language="English", answer=answer, acknowledged="not-asked"
        )
        self.attempt(lambda: record_patron_notification(notification=telling, **self._on(which, name)))

    @rule(which=WHICH, name=PEOPLE)
    def ask_for_review(self, which: int, name: str) -> None:
        self.attempt(lambda: request_review(**self._on(which, name)))

    @rule(which=WHICH, name=PEOPLE, cents=st.integers(1, 10**6))
    def pay(self, which: int, name: str, cents: int) -> None:
        said = self._on(which, name)
        self.attempt(lambda: record_payment(way="paid", amount_cents=cents, wager="0041-2", note="", **said))

    @rule(which=WHICH, name=PEOPLE)
    def advise(self, which: int, name: str) -> None:
        self.attempt(lambda: advise_patron(how="spoken", language="English", **self._on(which, name)))

    @rule(which=WHICH, name=PEOPLE)
    def withdraw(self, which: int, name: str) -> None:
        self.attempt(lambda: withdraw_dispute(reason="Changed their mind.", **self._on(which, name)))

    @rule(which=WHICH, name=PEOPLE, because=st.sampled_from(["", "They had left."]))
    def close(self, which: int, name: str, because: str) -> None:
        said = self._on(which, name)
        self.attempt(lambda: close_dispute(reason="Settled.", unadvised_because=because, **said))

    @rule(which=WHICH, name=PEOPLE)
    def complain(self, which: int, name: str) -> None:
        self.attempt(lambda: record_complaint(received="writing", **self._on(which, name)))

    @rule(which=WHICH, name=PEOPLE)
    def note(self, which: int, name: str) -> None:
        self.attempt(lambda: add_inspector_note(text="Footage asked for.", **self._on(which, name)))

    @rule(which=WHICH, name=PEOPLE, answerer=PEOPLE, twice=YES)
    def ask_and_answer(self, which: int, name: str, answerer: str, twice: bool) -> None:
        said = self._on(which, name)
        asked = self.attempt(
            lambda: request_from_operator(what="footage", question="Which camera?", due_on=self.now.date(), **said)
        )
        for _ in range(1 + twice):
            if asked is not None:
                answering = self._on(which, answerer)
                self.attempt(lambda: answer_request(request=asked.entry_index, text="Three.", **answering))  # noqa: B023

    @rule(which=WHICH, name=PEOPLE)
    def determine(self, which: int, name: str) -> None:
        determination = InspectorDeterminationBody(outcome="substantiated", reasons="The footage shows it.")
        self.attempt(lambda: determine_complaint(determination=determination, **self._on(which, name)))

    @rule(which=WHICH, name=PEOPLE)
    def send_letter(self, which: int, name: str) -> None:
        self.attempt(lambda: issue_letter(content=b"%PDF", how="posted", **self._on(which, name)))

    @invariant()
    def a_rung_is_decided_once(self) -> None:
        rungs = list(Step.objects.filter(kind=entry_kinds.DECIDED).values_list("dispute", "rung"))
        assert len(rungs) == len(set(rungs))

    @invariant()
    def a_review_is_decided_by_another_person(self) -> None:
        assert all(len(people) == len({one.pk for one in people}) for people in self.deciders.values())

    @invariant()
    def a_dispute_stands_where_its_steps_lead(self) -> None:
        for dispute in Dispute.objects.prefetch_related("steps"):
            where = DisputeState.WAITING
            for step in sorted(dispute.steps.all(), key=lambda step: step.entry_index):
                if step.kind in TRANSITIONS:
                    where = TRANSITIONS[step.kind].get(
                        where, DisputeState.DECIDED if step.kind == entry_kinds.DECIDED else where
                    )
            assert dispute.state == where

    @invariant()
    def nobody_is_sent_away_unadvised_without_a_reason(self) -> None:
        for step in Step.objects.filter(kind=entry_kinds.CLOSED).select_related("dispute"):
            is_content = step.dispute.is_satisfied is True or step.dispute.advised_at is not None
            assert is_content or step.said.get("unadvised_because") or step.dispute.is_satisfied is None

    @invariant()
    def only_inspectors_note_and_determine(self) -> None:
        by = Step.objects.filter(kind__in=[entry_kinds.NOTED, entry_kinds.DETERMINED, entry_kinds.LETTER])
        assert set(by.values_list("by__email", flat=True)) <= {"ines@example.com", "alf@example.com"}
