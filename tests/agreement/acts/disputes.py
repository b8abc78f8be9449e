"""Disputes about rounds, matters and promotions: logged, decided, appealed, told, paid, complained about, closed."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from compliance.core.accounts.roles import Role
from compliance.disputes.attachments import StoredFile
from compliance.disputes.entry_bodies import DecisionBody, InspectorDeterminationBody, PatronNotificationBody
from compliance.disputes.ladder.states import DisputeState
from compliance.disputes.models import Dispute
from compliance.disputes.permissions import MAY_INSPECT, roles_that_may_log_disputes
from compliance.disputes.services import (
    add_inspector_note,
    advise_patron,
    answer_request,
    attach_file,
    close_dispute,
    decide_dispute,
    determine_complaint,
    issue_letter,
    log_dispute,
    record_complaint,
    record_decision,
    record_matter,
    record_patron_notification,
    record_payment,
    request_from_operator,
    request_review,
    withdraw_dispute,
)
from compliance.disputes.subject.disputed_entry import subject_at
from tests.agreement.machine import FEW_MINUTES, HOLDERS, MINUTES, Agreement

CENTS = st.sampled_from([0, 500, 1_000, 2_000, 7_000, 100_000])
OUTCOMES = st.sampled_from(["refused", "upheld", "partly", "void"])


class ActsInDisputes(Agreement):
    @precondition(lambda self: self.rounds)
    @rule(data=st.data(), minutes=FEW_MINUTES)
    def dispute_round(self, data: st.DataObject, minutes: int) -> None:
        self.log_about(data, data.draw(st.sampled_from(self.rounds)))
        self.pass_time(timedelta(minutes=minutes))

    @rule(data=st.data())
    def dispute_matter(self, data: st.DataObject) -> None:
        """What it is about is no act of its own on the pages: it is recorded with the dispute."""
        who = self.one_of(data, roles_that_may_log_disputes(is_promotion=False))
        subject = record_matter(
            casino=self.casino, description="A person was rude.", table=self.table.slug, happened_at=self.now,
            actor=self.person(who), now=self.now,
        )  # fmt: skip
        self.is_audited = False
        self.log_about(data, subject.entry.index)

    def log_about(self, data: st.DataObject, index: int) -> None:
        subject = subject_at(self.casino, index)
        assert subject is not None
        wagers = [each.wager.id for each in subject.read.wagers] if subject.read else []
        grounds = data.draw(st.sampled_from(["not-paid", "limits"] if wagers else ["conduct", "other"]))
        who = self.one_of(data, roles_that_may_log_disputes(is_promotion=subject.is_promotion))
        said: dict[str, Any] = {"grounds": grounds, "statement": "It lay on ten.", "present": ["dealer"]}
        self.act(log_dispute, who, subject=subject, wagers=wagers[: data.draw(st.integers(0, 1))], **said)

    @rule(data=st.data())
    def advance_dispute(self, data: st.DataObject) -> None:
        """The next step of an open dispute, by somebody who may take it."""
        disputes = list(Dispute.objects.with_file().filter(casino=self.casino).order_by("-pk")[:2])
        if not disputes:
            return
        it = data.draw(st.sampled_from(disputes))
        match it.current_state:
            case DisputeState.WAITING:
                self.decide(data, it)
            case DisputeState.DECIDED:
                self.tell(data, it)
            case DisputeState.TOLD:
                self.finish(data, it)
            case DisputeState.WITH_INSPECTOR:
                self.inspect_complaint(data, it)
            case DisputeState.DETERMINED:
                content = b"%PDF-1.7 letter"
                self.on(data, it, issue_letter, MAY_INSPECT, content=content, how="posted")
                self.end(data, it)
            case DisputeState.CLOSED:
                self.on(data, it, record_complaint, MAY_INSPECT, received="writing")

    @rule(data=st.data(), minutes=MINUTES)
    def add_to_dispute(self, data: st.DataObject, minutes: int) -> None:
        """What can be recorded about a dispute in any state."""
        it = Dispute.objects.with_file().filter(casino=self.casino).order_by("-pk").first()
        if it is None:
            return
        staff = roles_that_may_log_disputes(is_promotion=it.is_promotion)
        match data.draw(st.sampled_from(["pay", "note", "file", "withdraw", "complain"])):
            case "pay":
                self.pay(data, it, staff)
            case "note":
                self.on(data, it, add_inspector_note, MAY_INSPECT, text="Look at the film.")
            case "file":
                name = f"{self.now:%H%M%S}.pdf"
                stored = StoredFile(name, sha256(name.encode()).hexdigest(), 12, "application/pdf")
                self.on(data, it, attach_file, staff, stored=stored)
            case "withdraw" if it.current_state in (DisputeState.WAITING, DisputeState.DECIDED, DisputeState.TOLD):
                self.on(data, it, withdraw_dispute, staff, reason="Thinks better of it.")
            case "complain" if it.current_state in (DisputeState.WAITING, DisputeState.DECIDED, DisputeState.TOLD):
                self.on(data, it, record_complaint, staff, received="in-person")
        self.pass_time(timedelta(minutes=minutes))

    def decide(self, data: st.DataObject, it: Dispute) -> None:
        outcome: Any = data.draw(OUTCOMES)
        cents = data.draw(CENTS) if outcome in ("upheld", "partly") else 0
        decided = {self.name_of(step.by_id) for step in it.steps.all() if step.kind == "dispute-decided"}
        rung = it.current_rung
        able = [name for role in sorted(rung.roles) for name in HOLDERS[role] if name not in decided]
        if able and data.draw(st.integers(0, 3)) > 0:
            body = DecisionBody(outcome=outcome, reasons="As seen.", amount_cents=cents)
            self.act(decide_dispute, data.draw(st.sampled_from(able)), dispute=it, rung=it.rung, decision=body)
            return
        # Decided on the floor, by whoever it was, and recorded by another person.
        decider, role = data.draw(st.sampled_from([("gina", Role.GAMES_SUPERVISOR), ("sam", Role.SHIFT_MANAGER)]))
        body = DecisionBody(outcome=outcome, reasons="As seen.", amount_cents=cents, entered_by="Sue")
        at = max(self.now - timedelta(minutes=data.draw(FEW_MINUTES)), it.waiting_since_at)
        said = {"rung": it.rung, "decision": body, "decider": self.person(decider), "role": role, "at": at}
        self.act(record_decision, "sue", dispute=it, **said)

    def tell(self, data: st.DataObject, it: Dispute) -> None:
        answers = ["accepts", "not-satisfied", "left", *(["review"] if it.ladder.rung_after(it.rung) else [])]
        answer: Any = data.draw(st.sampled_from(answers))
        said = PatronNotificationBody(told="The wager lost.", language="English", answer=answer,
                                      acknowledged="acknowledged")  # fmt: skip
        roles = roles_that_may_log_disputes(is_promotion=it.is_promotion) | it.current_rung.roles
        self.on(data, it, record_patron_notification, roles, notification=said)

    def finish(self, data: st.DataObject, it: Dispute) -> None:
        staff = roles_that_may_log_disputes(is_promotion=it.is_promotion)
        match data.draw(st.sampled_from(["pay", "advise", "close", "review"])):
            case "pay":
                self.pay(data, it, staff)
            case "advise":
                self.on(data, it, advise_patron, staff, how="spoken", language="English")
            case "review" if it.ladder.rung_after(it.rung) is not None:
                self.on(data, it, request_review, staff)
            case _:
                self.end(data, it)

    def pay(self, data: st.DataObject, it: Dispute, staff: frozenset[Role]) -> None:
        wager = data.draw(st.sampled_from(["", *(each.wager for each in it.wagers.all())]))
        way = data.draw(st.sampled_from(["paid", "paid", "returned", "taken-back"]))
        self.on(data, it, record_payment, staff, way=way, amount_cents=data.draw(CENTS) or 500, wager=wager, note="")

    def end(self, data: st.DataObject, it: Dispute) -> None:
        left = data.draw(st.sampled_from(["Left."] if it.lacks_advice else ["", "Left."]))
        staff = roles_that_may_log_disputes(is_promotion=it.is_promotion)
        self.on(data, it, close_dispute, staff, reason="Over.", unadvised_because=left)

    def inspect_complaint(self, data: st.DataObject, it: Dispute) -> None:
        asked = [step for step in it.steps.all() if step.kind == "dispute-asked"]
        answered = {step.said["answers"] for step in it.steps.all() if step.kind == "dispute-answered"}
        unanswered = [step.entry_index for step in asked if step.entry_index not in answered]
        if bool(unanswered) and data.draw(st.booleans()):
            staff = roles_that_may_log_disputes(is_promotion=it.is_promotion)
            self.on(data, it, answer_request, staff, request=unanswered[0], text="Here it is.")
        elif data.draw(st.booleans()) and not asked:
            due_on = (self.now + timedelta(days=3)).date()
            self.on(data, it, request_from_operator, MAY_INSPECT, what="footage", question="The film.", due_on=due_on)
        else:
            outcome: Any = data.draw(st.sampled_from(["substantiated", "partly-substantiated", "not-substantiated"]))
            cents = data.draw(CENTS) if outcome != "not-substantiated" else 0
            body = InspectorDeterminationBody(outcome=outcome, reasons="As filmed.", amount_cents=cents)
            self.on(data, it, determine_complaint, MAY_INSPECT, determination=body)

    def on(self, data: st.DataObject, it: Dispute, service: Any, roles: Any, **said: Any) -> None:
        self.act(service, self.one_of(data, roles), dispute=it, **said)

    def name_of(self, person: int) -> str:
        return next(name for names in HOLDERS.values() for name in names if self.person(name).pk == person)
