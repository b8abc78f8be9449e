"""Disputes, judged at their own steps: who decided, in which order, when, what the patron was told and paid.

A dispute's rows never change but for where it stands, so what the check reads of them before a step is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial

from django.db.models import Q

from compliance.accounts.roles import Role
from compliance.alerts.kinds import RAISED
from compliance.audit.checks.ways_in import OverTime
from compliance.audit.circumstances import version_used
from compliance.audit.drafts import Draft, amount, lasting
from compliance.audit.stories import Looks, Subject
from compliance.disputes import kinds
from compliance.disputes.models import Dispute, Step
from compliance.disputes.reminding import DUTY, REQUEST_DUTY
from compliance.disputes.said import FOR_THE_PATRON
from compliance.disputes.states import LEADS

# An answer ends the wait of an inspector's request; all others end the dispute's own.
ENDS_A_WAIT = frozenset(LEADS) | {kinds.ANSWERED}


def _dispute(subject: Subject) -> Dispute | None:
    number = str(subject.body.get("dispute", "")).removeprefix("D-")
    rows = Dispute.objects.with_file().filter(casino=subject.casino)
    return rows.filter(number=int(number)).first() if number.isdigit() else None


def _step(subject: Subject) -> tuple[Dispute, Step, list[Step]] | None:
    """The step under judgement, and the dispute's steps before it."""
    dispute = _dispute(subject)
    steps = list(dispute.steps.all()) if dispute else []
    step = next((each for each in steps if each.entry_index == subject.happened.index), None)
    if dispute is None or step is None:
        return None
    return dispute, step, [each for each in steps if each.entry_index < step.entry_index]


def _draft(subject: Subject, dispute: Dispute, code: str, **said: object) -> Draft:
    version = version_used(dispute.version) if dispute.version else None
    return subject.draft(
        code, what=f"Dispute {dispute.reference}", version=version,
        evidence=[dispute.entry_index, dispute.subject_index], **said,  # type: ignore[arg-type]
    )  # fmt: skip


def judge_decider(subject: Subject) -> Iterator[Draft]:
    """Of the rank that the rung names; a review by another person than whoever decided first."""
    found = _step(subject)
    if found is None or found[0].ladder.is_silent:
        return
    dispute, step, before = found
    assert step.rung is not None
    rung = dispute.ladder.rungs[step.rung]
    is_of_rank = rung.rank_of({step.role}, in_absence=bool(step.said.get("in_absence"))) is not None
    is_first_decider = rung.by_another_person and step.by_id in {each.by_id for each in _decisions(before)}
    if is_of_rank and not is_first_decider:
        return
    who = f"a {Role(step.role).label.lower()}"
    who = f"{who} who had decided it first" if is_first_decider else who
    is_about_rank = rung.or_above or rung.stage == "review-if-requested"
    code = "DISPUTE-RANK" if is_about_rank else "DISPUTE-DECIDER"
    yield _draft(subject, dispute, code, found=who, required=rung.who, clause=rung.clause)


def judge_skipped(subject: Subject) -> Iterator[Draft]:
    """The first rung is never left out; a review not, once it was asked for."""
    found = _step(subject)
    if found is None or found[0].ladder.is_silent:
        return
    dispute, step, before = found
    assert step.rung is not None
    rungs = dispute.ladder.rungs
    decided = {each.rung for each in _decisions(before)}
    asked = sum(each.kind == kinds.REVIEW for each in before)
    left_out = [rungs[place] for place in range(step.rung) if place not in decided and place <= asked]
    if left_out:
        required = " and ".join(f"the {rung.title.lower()} by {rung.who}" for rung in left_out)
        said = {"found": f"the {rungs[step.rung].title.lower()}", "required": required, "clause": left_out[0].clause}
        yield _draft(subject, dispute, "DISPUTE-SKIPPED", **said)


def _decisions(steps: Sequence[Step]) -> list[Step]:
    return [step for step in steps if step.kind == kinds.DECIDED]


def judge_advice(subject: Subject) -> Iterator[Draft]:
    """Closed, the patron not satisfied at last, and nobody had told them of their right."""
    found = _step(subject)
    right = found[0].ladder.right if found else None
    if found is None or right is None:
        return
    dispute, _, before = found
    answers = [step.said["answer"] for step in before if step.kind == kinds.TOLD]
    has_complained = any(step.kind == kinds.COMPLAINED for step in before)
    is_satisfied = not has_complained and (not answers or answers[-1] in ("accepts", "left"))
    if not is_satisfied and not any(step.kind == kinds.ADVISED for step in before):
        said = {"found": subject.clock(subject.at), "required": right.told_of, "clause": right.clause}
        yield _draft(subject, dispute, "DISPUTE-NO-ADVICE", **said)


def judge_payment(subject: Subject) -> Iterator[Draft]:
    found = _step(subject)
    if found is None or _decisions(found[2]) or any(step.kind == kinds.DETERMINED for step in found[2]):
        return
    dispute, step, _ = found
    rung = dispute.ladder.rungs[0]
    said = {"found": amount(step.said["amount_cents"]), "required": "it", "clause": rung.clause}
    yield _draft(subject, dispute, "DISPUTE-UNDECIDED-PAYMENT", **said)


def judge_outcome(subject: Subject) -> Iterator[Draft]:
    """Somebody found that the patron was right: the table had been wrong."""
    found = _step(subject)
    if found is None or found[1].said["outcome"] not in FOR_THE_PATRON:
        return
    dispute, step, _ = found
    wagers = list(dispute.wagers.all())
    returned = sum(wager.returned_cents or 0 for wager in wagers)
    due = returned + step.said.get("amount_cents", 0)
    clause = next((wager.clause for wager in wagers if wager.clause), "") or step.said.get("clause", "")
    yield _draft(
        subject, dispute, "DISPUTE-UPHELD", found=amount(returned), required=amount(due), clause=clause,
        found_cents=returned, required_cents=due,
    )  # fmt: skip


def judge_wait(subject: Subject) -> Iterator[Draft]:
    """A step that came after its time. Exactly at its time is in time."""
    found = _step(subject)
    if found is None:
        return
    dispute, step, _ = found
    if step.was_due_at is None or step.waited_since_at is None or not step.is_late:
        return
    waited, allowed = step.recorded_at - step.waited_since_at, step.was_due_at - step.waited_since_at
    yield _draft(subject, dispute, "DISPUTE-OVERDUE", found=lasting(waited), required=lasting(allowed))


def judge_reminder(subject: Subject) -> Iterator[Draft]:
    """A dispute that nobody takes further has no step to be judged at: the reminder shows that its time is over."""
    if subject.body.get("duty") not in (DUTY, REQUEST_DUTY):
        return
    about = subject.body.get("about") or {}
    index = about.get("index", -1)
    named = Q(entry_index=index) | Q(steps__kind=kinds.ASKED, steps__entry_index=index)
    dispute = Dispute.objects.filter(named, casino=subject.casino).first()
    if dispute is not None:
        said = {"found": "longer than its step may take", "required": subject.body["clause"]}
        yield _draft(subject, dispute, "DISPUTE-OVERDUE", **said)


_at = partial(OverTime, looks=Looks(back=timedelta(0)))
CHECKS = (
    _at(frozenset({"DISPUTE-DECIDER", "DISPUTE-RANK"}), frozenset({kinds.DECIDED}), judge_decider),
    _at(frozenset({"DISPUTE-SKIPPED"}), frozenset({kinds.DECIDED}), judge_skipped),
    _at(frozenset({"DISPUTE-NO-ADVICE"}), frozenset({kinds.CLOSED}), judge_advice),
    _at(frozenset({"DISPUTE-UNDECIDED-PAYMENT"}), frozenset({kinds.PAID}), judge_payment),
    _at(frozenset({"DISPUTE-UPHELD"}), frozenset({kinds.DECIDED, kinds.DETERMINED}), judge_outcome),
    _at(frozenset({"DISPUTE-OVERDUE"}), ENDS_A_WAIT, judge_wait),
    _at(frozenset({"DISPUTE-OVERDUE"}), frozenset({RAISED}), judge_reminder),
)
