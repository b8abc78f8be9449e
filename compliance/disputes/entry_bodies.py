"""Schemas of the steps as in their ledger entries. No patron's name: those are in privacy.personal_data."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from compliance.disputes import entry_kinds
from rounds.intake.entry_kinds import DISPUTE_PAID

GROUNDS = {
    "paid-too-little": "A win was paid too little",
    "not-paid": "A win was not paid at all",
    "wager-moved": "A wager was moved or taken away",
    "wager-refused": "A wager was refused or called late",
    "wrong-result": "The result was called or shown wrongly",
    "equipment": "The dice, shaker or lights did not work",
    "limits": "The minimum or maximum",
    "meaning": "What a rule means",
    "promotion": "A prize or the terms of a promotion",
    "conduct": "How the game or a person was dealt with",
    "other": "Something else",
}
# Grounds that apply where no round was played.
GROUNDS_OF_PROMOTIONS = ("promotion", "meaning", "conduct", "other")
PRESENT = {
    "dealer": "Dealer",
    "games-supervisor": "Games supervisor",
    "casino-supervisor": "Casino supervisor",
    "shift-manager": "Shift manager",
    "inspector": "Inspector",
    "other-players": "Other players",
    "surveillance": "Surveillance was called",
}
OUTCOMES = {
    "upheld": "For the patron",
    "partly": "Partly for the patron",
    "refused": "Against the patron",
    "void": "Wager void, stake returned",
}
ANSWERS = {
    "accepts": "Accepts the decision",
    "not-satisfied": "Is not satisfied",
    "review": "Asks for a review",
    "left": "Left without an answer",
}
ACKNOWLEDGED = {"acknowledged": "Acknowledged", "declined": "Declined to acknowledge", "not-asked": "Was not asked"}
ADVICE = {"spoken": "Said to the patron", "printed": "Printed page handed over", "emailed": "Sent by e-mail"}
PAYMENTS = {
    "paid": "Paid to the patron",
    "returned": "Stake returned to the patron",
    "taken-back": "Taken back from the patron",
}
RECEIVED = {"in-person": "In person", "writing": "In writing", "telephone": "By telephone", "e-mail": "By e-mail"}
REQUESTS = {"information": "Information", "footage": "Footage to be preserved"}
FINDINGS = {
    "substantiated": "Complaint substantiated",
    "partly-substantiated": "Complaint partly substantiated",
    "not-substantiated": "Complaint not substantiated",
    "no-jurisdiction": "Not a matter for the inspector",
}
# Outcomes in favour of the patron.
FOR_THE_PATRON = frozenset({"upheld", "partly", "substantiated", "partly-substantiated"})

Outcome: TypeAlias = Literal["upheld", "partly", "refused", "void"]


class StepBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The part of an entry that is specific to a kind of step.
    Person, time, role and subject are added by Step.entry_body."""


class DecisionBody(StepBody, frozen=True, kw_only=True):
    """A decision. `in_absence`: nobody of the rank named first was there.
    `entered_by`: who recorded another's decision."""

    outcome: Outcome
    reasons: str
    clause: str = ""
    amount_cents: int = 0
    in_absence: bool = False
    entered_by: str = ""


class PatronNotificationBody(StepBody, frozen=True, kw_only=True):
    told: str
    language: str
    answer: Literal["accepts", "not-satisfied", "review", "left"]
    acknowledged: Literal["acknowledged", "declined", "not-asked"]


class ReviewBody(StepBody, frozen=True, kw_only=True):
    clause: str = ""


class AdviceBody(StepBody, frozen=True, kw_only=True):
    how: Literal["spoken", "printed", "emailed"]
    language: str
    told_of: str
    clause: str = ""
    law: str = ""


class PaymentBody(StepBody, frozen=True, kw_only=True):
    """A payment.
    `corrects` is the entry of the round whose settlement it changes; `wager` the wager, if it is for one."""

    way: Literal["paid", "returned", "taken-back"]
    amount_cents: int
    corrects: int
    wager: str = ""
    note: str = ""
    was_decided: bool = True


class AttachedFileBody(StepBody, frozen=True, kw_only=True):
    sha256: str
    bytes: int
    media_type: str


class WithdrawalBody(StepBody, frozen=True, kw_only=True):
    reason: str


class ClosingBody(StepBody, frozen=True, kw_only=True):
    reason: str
    unadvised_because: str = ""


class ComplaintBody(StepBody, frozen=True, kw_only=True):
    received: Literal["in-person", "writing", "telephone", "e-mail"]
    clause: str = ""


class NoteBody(StepBody, frozen=True, kw_only=True):
    """An inspector's note. Its text is for inspectors only; the entry commits to it by a salted digest."""

    digest_sha256: str


class RequestBody(StepBody, frozen=True, kw_only=True):
    what: Literal["information", "footage"]
    question: str
    due_on: str


class AnswerBody(StepBody, frozen=True, kw_only=True):
    """The operator's answer. `answers` is the entry of the request."""

    answers: int
    text: str


class InspectorDeterminationBody(StepBody, frozen=True, kw_only=True):
    outcome: Literal["substantiated", "partly-substantiated", "not-substantiated", "no-jurisdiction"]
    reasons: str
    amount_cents: int = 0


class LetterBody(StepBody, frozen=True, kw_only=True):
    sha256: str
    how: Literal["handed-over", "posted", "emailed"]


BODY_BY_KIND: dict[str, type[StepBody]] = {
    entry_kinds.DECIDED: DecisionBody,
    entry_kinds.TOLD: PatronNotificationBody,
    entry_kinds.REVIEW: ReviewBody,
    entry_kinds.ADVISED: AdviceBody,
    DISPUTE_PAID: PaymentBody,
    entry_kinds.ATTACHED: AttachedFileBody,
    entry_kinds.WITHDRAWN: WithdrawalBody,
    entry_kinds.CLOSED: ClosingBody,
    entry_kinds.COMPLAINED: ComplaintBody,
    entry_kinds.NOTED: NoteBody,
    entry_kinds.ASKED: RequestBody,
    entry_kinds.ANSWERED: AnswerBody,
    entry_kinds.DETERMINED: InspectorDeterminationBody,
    entry_kinds.LETTER: LetterBody,
}
KIND_BY_BODY = {said: kind for kind, said in BODY_BY_KIND.items()}
