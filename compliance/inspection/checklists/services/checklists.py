"""Checklists: begun, answered clause by clause, signed off with one entry for each answer."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from compliance.audit.selectors import audited_up_to
from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.entry_kinds import ANSWERED, BEGUN, SIGNED
from compliance.inspection.checklists.errors import (
    AnsweredMeanwhile,
    ClausesUnanswered,
    NotSignedYet,
    SignedAlready,
    SupersededAlready,
)
from compliance.inspection.checklists.models import Checklist, ClauseAnswer, DraftAnswer, SignOff
from compliance.inspection.checklists.selectors import ClauseRow, load_clause_rows, require_inspector, unanswered_rows
from rounds.ledger import append, encode_body, make_entry
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """Answer of a person to a clause."""

    verdict: ClauseVerdict
    basis: AnswerBasis
    comment: str = ""


@transaction.atomic
def begin_checklist(
    *,
    casino: Casino,
    version: RuleVersion,
    since: datetime,
    until: datetime,
    actor: User,
    now: datetime,
    supersedes: Checklist | None = None,
) -> Checklist:
    """Copies the answers of the checklist it supersedes, if any, so that only the changes must be entered."""
    require_inspector(actor, casino)
    if version.casino_id != casino.pk or version.approved_at is None:
        raise NotFound
    if supersedes is not None:
        _check_can_supersede(supersedes)
    checklist = Checklist(
        log=casino.slug,
        casino=casino,
        version=version,
        since=since,
        until=until,
        supersedes=supersedes,
        begun_by=actor,
        begun_by_name=actor.name,
        begun_at=now,
    )
    [receipt] = append(casino.slug, [make_entry(BEGUN, checklist.entry_body())], now)
    checklist.entry_index = receipt.index
    try:
        checklist.save(force_insert=True)
    except IntegrityError as error:
        raise SupersededAlready from error
    if supersedes is not None:
        DraftAnswer.objects.bulk_create(_copy_answer(checklist, one) for one in supersedes.answers.all())
    return checklist


def _check_can_supersede(checklist: Checklist) -> None:
    if not SignOff.recorded.filter(checklist=checklist).exists():
        raise NotSignedYet
    if Checklist.objects.filter(supersedes=checklist).exists():
        raise SupersededAlready


def _copy_answer(checklist: Checklist, one: ClauseAnswer) -> DraftAnswer:
    return DraftAnswer(
        checklist=checklist,
        clause=one.clause,
        verdict=one.verdict,
        basis=one.basis,
        comment=one.comment,
        answered_by_id=one.answered_by_id,
        answered_at=one.answered_at,
    )


@transaction.atomic
def answer_clause(
    *, checklist: Checklist, clause: str, answer: GivenAnswer, expected_changes: int, actor: User, now: datetime
) -> DraftAnswer:
    """Saves a draft answer, without an entry. `expected_changes` is an optimistic lock: how often it had been answered
    when the form was opened."""
    require_inspector(actor, checklist.casino)
    if clause not in pack_of(checklist.version).clauses:
        raise NotFound
    rows = DraftAnswer.objects.select_for_update(no_key=True, of=("self",)).select_related("answered_by")
    draft = rows.filter(checklist=checklist, clause=clause).first()
    # Checked after locking the row: sign-off locks every row first.
    if SignOff.recorded.filter(checklist=checklist).exists():
        raise SignedAlready
    if (draft.changed_times if draft else 0) != expected_changes:
        raise AnsweredMeanwhile(f"{draft.answered_by if draft else 'Somebody'} answered this clause meanwhile.")
    values = {
        "verdict": answer.verdict,
        "basis": answer.basis,
        "comment": answer.comment,
        "answered_by": actor,
        "answered_at": now,
        "changed_times": expected_changes + 1,
    }
    if draft is None:
        draft, is_first = DraftAnswer.objects.get_or_create(checklist=checklist, clause=clause, defaults=values)
        if not is_first:
            raise AnsweredMeanwhile(f"{draft.answered_by} answered this clause meanwhile.")
        return draft
    for name, value in values.items():
        setattr(draft, name, value)
    draft.save()
    return draft


@transaction.atomic
def answer_clauses(
    *, checklist: Checklist, clauses: Sequence[str], answer: GivenAnswer, actor: User, now: datetime
) -> None:
    """Saves the same draft answer for several clauses that nobody has answered yet."""
    for clause in clauses:
        answer_clause(checklist=checklist, clause=clause, answer=answer, expected_changes=0, actor=actor, now=now)


@transaction.atomic
def sign_off_checklist(*, checklist: Checklist, conclusion: str, actor: User, now: datetime) -> SignOff:
    """Requires an answer to every clause. Each becomes an entry with the audit's current evidence; the last entry signs
    all."""
    require_inspector(actor, checklist.casino)
    list(DraftAnswer.objects.select_for_update(no_key=True).filter(checklist=checklist).order_by("pk"))
    if SignOff.recorded.filter(checklist=checklist).exists():
        raise SignedAlready
    rows = load_clause_rows(checklist)
    if missing := unanswered_rows(rows):
        raise ClausesUnanswered(
            f"{len(missing):,} of {len(rows):,} clauses are not answered, the first of them {missing[0].said.clause}."
        )
    answers = [_freeze_answer(checklist, row) for row in rows]
    bodies = [one.entry_body() for one in answers]
    sign_off = SignOff(
        log=checklist.log,
        checklist=checklist,
        answers=len(answers),
        answers_sha256=hashlib.sha256(encode_body({"answers": bodies})).hexdigest(),
        conclusion=conclusion,
        audited_up_to=audited_up_to(checklist.log),
        signed_by=actor,
        signed_by_name=actor.name,
        signed_at=now,
    )
    entries = [*(make_entry(ANSWERED, one) for one in bodies), make_entry(SIGNED, sign_off.entry_body())]
    receipts = append(checklist.log, entries, now)
    for row, receipt in zip((*answers, sign_off), receipts, strict=True):
        row.entry_index = receipt.index
    ClauseAnswer.objects.bulk_create(answers)
    sign_off.save(force_insert=True)
    return sign_off


def _freeze_answer(checklist: Checklist, row: ClauseRow) -> ClauseAnswer:
    draft = row.answer
    assert isinstance(draft, DraftAnswer)
    return ClauseAnswer(
        log=checklist.log,
        checklist=checklist,
        clause=draft.clause,
        verdict=draft.verdict,
        basis=draft.basis,
        comment=draft.comment,
        audit_said=row.said.sentence,
        answered_by=draft.answered_by,
        answered_by_name=draft.answered_by.name,
        answered_at=draft.answered_at,
    )
