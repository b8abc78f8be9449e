"""Checks of disputes, evaluated at their steps: decider, order, deadlines, advice and payment.

Steps and files of a dispute are append-only, so what a check reads about the time before a step never changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial

from compliance.audit.catalogue import record_codes as codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.checks.shared.roles import position_words
from compliance.audit.context.dispute_file import DisputeFile, DisputeStep, read_dispute
from compliance.audit.context.finding_draft import FindingDraft, format_amount, format_duration
from compliance.audit.context.timeline import EventContext, LookBack
from compliance.core.accounts.roles import Role
from compliance.disputes import entry_kinds
from compliance.disputes.entry_bodies import FOR_THE_PATRON
from compliance.disputes.ladder.states import TRANSITIONS
from compliance.disputes.services.reminders import DUTY, REQUEST_DUTY
from compliance.notify.alerts.entry_kinds import RAISED
from rounds.intake.entry_kinds import DISPUTE_PAID

# Entries about which an overdue reminder is raised.
NAMING_KINDS = (entry_kinds.LOGGED, entry_kinds.ASKED)
# An answer ends the wait for an inspector's request; the other kinds end the dispute's own wait.
WAIT_ENDING_KINDS = frozenset(TRANSITIONS) | {entry_kinds.ANSWERED}


def _step_and_earlier_steps(context: EventContext) -> tuple[DisputeFile, DisputeStep, list[DisputeStep]] | None:
    """The step being evaluated, and the dispute's earlier steps."""
    reference = str(context.body.get("dispute", ""))
    dispute = read_dispute(context.source, reference)
    step = next((each for each in dispute.steps if each.entry.index == context.event.index), None) if dispute else None
    if dispute is None or step is None:
        return None
    return dispute, step, [each for each in dispute.steps if each.entry.index < step.entry.index]


def _dispute_draft(context: EventContext, dispute: DisputeFile, code: FindingCode, **texts: object) -> FindingDraft:
    return context.draft(
        code,
        what=f"Dispute {dispute.reference}",
        version=dispute.version,
        evidence=[dispute.logged.index, dispute.subject_index],
        **texts,  # type: ignore[arg-type]
    )


def check_decider(context: EventContext) -> Iterator[FindingDraft]:
    """DISPUTE-DECIDER and DISPUTE-RANK (`duties.disputes.steps`): the rank that the step requires; a review by another
    person; nobody decides because of their own absence."""
    found = _step_and_earlier_steps(context)
    if found is None or found[0].ladder.is_silent:
        return
    dispute, step, before = found
    decided = step.content
    rung = dispute.ladder.rungs[decided["rung"]]
    in_absence = bool(decided.get("in_absence"))
    is_of_rank = rung.deciding_role({decided["role"]}, in_absence=in_absence) is not None
    is_own_absence = in_absence and not rung.may_be_absent({decided["role"]})
    is_first_decider = rung.by_another_person and step.person in {each.person for each in _decision_steps(before)}
    if is_of_rank and not is_first_decider and not is_own_absence:
        return
    who = position_words(Role(decided["role"]).label.lower())
    who = f"{who} who had decided it first" if is_first_decider else who
    who = f"{who} because nobody of that rank was there" if is_own_absence else who
    is_about_rank = rung.or_above or rung.stage == "review-if-requested"
    code = codes.DISPUTE_RANK if is_about_rank else codes.DISPUTE_DECIDER
    yield _dispute_draft(context, dispute, code, found=who, required=rung.who, clause=rung.clause)


def check_skipped_step(context: EventContext) -> Iterator[FindingDraft]:
    """DISPUTE-SKIPPED (`duties.disputes.steps`): the first step is mandatory; a review is once it was requested."""
    found = _step_and_earlier_steps(context)
    if found is None or found[0].ladder.is_silent:
        return
    dispute, step, before = found
    rungs, place_decided = dispute.ladder.rungs, step.content["rung"]
    decided = {each.content["rung"] for each in _decision_steps(before)}
    reviews_requested = sum(each.kind == entry_kinds.REVIEW for each in before)
    left_out = [rungs[place] for place in range(place_decided) if place not in decided and place <= reviews_requested]
    if left_out:
        required = " and ".join(f"the {rung.title.lower()} by {rung.who}" for rung in left_out)
        texts = {
            "found": f"the {rungs[place_decided].title.lower()}",
            "required": required,
            "clause": left_out[0].clause,
        }
        yield _dispute_draft(context, dispute, codes.DISPUTE_SKIPPED, **texts)


def _decision_steps(steps: Sequence[DisputeStep]) -> list[DisputeStep]:
    return [step for step in steps if step.kind == entry_kinds.DECIDED]


def check_rights_advice(context: EventContext) -> Iterator[FindingDraft]:
    """DISPUTE-NO-ADVICE (`duties.disputes.advice`): closed with an unsatisfied patron who was not advised of their
    right."""
    found = _step_and_earlier_steps(context)
    right = found[0].ladder.right if found else None
    if found is None or right is None:
        return
    dispute, _, before = found
    answers = [step.content["answer"] for step in before if step.kind == entry_kinds.TOLD]
    has_complained = any(step.kind == entry_kinds.COMPLAINED for step in before)
    is_satisfied = not has_complained and (not answers or answers[-1] in ("accepts", "left"))
    if not is_satisfied and not any(step.kind == entry_kinds.ADVISED for step in before):
        texts = {
            "found": context.format_local_time(context.event_time),
            "required": right.told_of,
            "clause": right.clause,
        }
        yield _dispute_draft(context, dispute, codes.DISPUTE_NO_ADVICE, **texts)


def check_payment(context: EventContext) -> Iterator[FindingDraft]:
    """DISPUTE-UNDECIDED-PAYMENT (`duties.disputes.steps`): paid before any decision."""
    found = _step_and_earlier_steps(context)
    if found is None or _decision_steps(found[2]) or any(step.kind == entry_kinds.DETERMINED for step in found[2]):
        return
    dispute, step, _ = found
    rung = dispute.ladder.rungs[0]
    texts = {"found": format_amount(step.content["amount_cents"]), "required": "it", "clause": rung.clause}
    yield _dispute_draft(context, dispute, codes.DISPUTE_UNDECIDED_PAYMENT, **texts)


def check_outcome(context: EventContext) -> Iterator[FindingDraft]:
    """DISPUTE-UPHELD: decided in the patron's favour, so the table had been wrong."""
    found = _step_and_earlier_steps(context)
    if found is None or found[1].content["outcome"] not in FOR_THE_PATRON:
        return
    dispute, step, _ = found
    returned = dispute.returned_cents()
    due = returned + step.content.get("amount_cents", 0)
    clause = dispute.settlement_clause() or step.content.get("clause", "")
    yield _dispute_draft(
        context,
        dispute,
        codes.DISPUTE_UPHELD,
        found=format_amount(returned),
        required=format_amount(due),
        clause=clause,
        found_cents=returned,
        required_cents=due,
    )


def check_step_deadline(context: EventContext) -> Iterator[FindingDraft]:
    """DISPUTE-OVERDUE: a step after its deadline. Exactly at the deadline is in time."""
    found = _step_and_earlier_steps(context)
    if found is None:
        return
    dispute, step, _ = found
    due_at, since_at, recorded_at = step.instant("due"), step.instant("waited_since"), step.entry.recorded_at
    if due_at is None or since_at is None or recorded_at <= due_at:
        return
    waited, allowed = recorded_at - since_at, due_at - since_at
    yield _dispute_draft(
        context, dispute, codes.DISPUTE_OVERDUE, found=format_duration(waited), required=format_duration(allowed)
    )


def check_overdue_reminder(context: EventContext) -> Iterator[FindingDraft]:
    """DISPUTE-OVERDUE for a dispute without a further step: the reminder entry proves that the deadline has passed."""
    if context.body.get("duty") not in (DUTY, REQUEST_DUTY):
        return
    about = context.body.get("about") or {}
    named = [
        each.content() for each in context.source.entries_at([about.get("index", -1)]) if each.kind in NAMING_KINDS
    ]
    dispute = read_dispute(context.source, named[0]["dispute"]) if named else None
    if dispute is not None:
        texts = {"found": "longer than its step may take", "required": context.body["clause"]}
        yield _dispute_draft(context, dispute, codes.DISPUTE_OVERDUE, **texts)


_timeline_check = partial(TimelineCheck, look_back=LookBack(duration=timedelta(0)))
CHECKS = (
    _timeline_check(
        frozenset({codes.DISPUTE_DECIDER, codes.DISPUTE_RANK}), frozenset({entry_kinds.DECIDED}), check_decider
    ),
    _timeline_check(frozenset({codes.DISPUTE_SKIPPED}), frozenset({entry_kinds.DECIDED}), check_skipped_step),
    _timeline_check(frozenset({codes.DISPUTE_NO_ADVICE}), frozenset({entry_kinds.CLOSED}), check_rights_advice),
    _timeline_check(frozenset({codes.DISPUTE_UNDECIDED_PAYMENT}), frozenset({DISPUTE_PAID}), check_payment),
    _timeline_check(
        frozenset({codes.DISPUTE_UPHELD}), frozenset({entry_kinds.DECIDED, entry_kinds.DETERMINED}), check_outcome
    ),
    _timeline_check(frozenset({codes.DISPUTE_OVERDUE}), WAIT_ENDING_KINDS, check_step_deadline),
    _timeline_check(frozenset({codes.DISPUTE_OVERDUE}), frozenset({RAISED}), check_overdue_reminder),
)
