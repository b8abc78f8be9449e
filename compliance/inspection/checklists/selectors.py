"""Permissions and queries for samples and checklists. Single objects are fetched through access_sample,
access_sampled_round and access_checklist; absent and forbidden raise the same error.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, Func, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES
from compliance.core.web.errors import NotFound
from compliance.inspection.checklists.answer_choices import ClauseVerdict
from compliance.inspection.checklists.clause_evidence import ClauseEvidence, load_clause_evidence
from compliance.inspection.checklists.models import (
    Checklist,
    ClauseAnswer,
    DraftAnswer,
    DrawJob,
    RoundCheck,
    Sample,
    SampledRound,
    SignOff,
)
from rounds.ledger import is_taken_back

MAY_INSPECT = GOVERNMENT_ROLES
# In the report of one checklist.
MAX_SAMPLES_IN_REPORT = 50


def require_inspector(actor: User, casino: Casino) -> None:
    if not actor.has_role(*MAY_INSPECT, casino=casino):
        raise NotFound


def access_sample(user: User, casino: Casino, entry_index: int) -> Sample:
    require_inspector(user, casino)
    sample = samples_of(casino).filter(entry_index=entry_index).first()
    if sample is None:
        raise NotFound
    return sample


def access_sampled_round(user: User, casino: Casino, entry_index: int, place: int) -> SampledRound:
    """A round of a sample, by its position."""
    sample = access_sample(user, casino, entry_index)
    sampled = sample.sampled_rounds.select_related("sample", "sample__casino").filter(place=place).first()
    if sampled is None:
        raise NotFound
    return sampled


def access_checklist(user: User, casino: Casino, entry_index: int) -> Checklist:
    require_inspector(user, casino)
    checklist = checklists_of(casino).filter(entry_index=entry_index).first()
    if checklist is None:
        raise NotFound
    return checklist


def samples_of(casino: Casino) -> QuerySet[Sample]:
    """Annotates `looked_at`, the number of checked rounds, and `draw_state`, the state of the job that draws it."""
    looked_at = SampledRound.objects.filter(sample=OuterRef("pk")).exclude(verdict="")
    job = DrawJob.objects.filter(sample=OuterRef("pk"), is_again=False)
    rows = Sample.objects.filter(casino=casino).select_related("casino", "draw")
    return rows.annotate(looked_at=_count_subquery(looked_at), draw_state=Subquery(job.values("state")))


def newest_draw_job(sample: Sample, *, is_again: bool) -> DrawJob | None:
    return sample.drawings.filter(is_again=is_again).defer("so_far").order_by("-pk").first()


def samples_in_checklist_period(checklist: Checklist) -> list[Sample]:
    """Samples drawn before the checklist was signed, from its period or part of it, oldest first."""
    rows = (
        samples_of(checklist.casino)
        .exclude(draw=None)
        .filter(
            since__lt=checklist.until, until__gt=checklist.since, draw__entry_index__lt=checklist.sign_off.entry_index
        )
    )
    return list(rows.order_by("entry_index")[:MAX_SAMPLES_IN_REPORT])


def verdicts_before(sample: Sample, entry_index: int) -> list[tuple[int, str]]:
    """Weight of each drawn round, and the last verdict on it before that entry of the log."""
    last = RoundCheck.objects.filter(sampled=OuterRef("pk"), entry_index__lt=entry_index).order_by("-number")
    rows = sample.sampled_rounds.annotate(then=Coalesce(Subquery(last.values("verdict")[:1]), Value("")))
    return list(rows.values_list("weight", "then"))


def checklists_of(casino: Casino) -> QuerySet[Checklist]:
    """Annotates `answered`, the number of clauses with an answer, and `is_sign_off_withdrawn`."""
    rows = Checklist.objects.filter(casino=casino).select_related(
        "casino",
        "version",
        "version__casino",
        "version__approved_by",
        "sign_off",
        "supersedes",
        "successor",
        "successor__sign_off",
    )
    return rows.annotate(  # type: ignore[no-redef]
        answered=_count_subquery(DraftAnswer.objects.filter(checklist=OuterRef("pk"))),
        is_sign_off_withdrawn=Exists(SignOff.recorded.filter(is_taken_back(), checklist=OuterRef("pk"))),
    )


def _count_subquery(rows: QuerySet[Any]) -> Coalesce:
    """Counts for the rows of one page only. A join would count for the whole list before paging."""
    counted = rows.order_by().annotate(one=Func(F("pk"), function="count")).values("one")
    return Coalesce(Subquery(counted), 0)


def signed_checklists(casino: Casino) -> QuerySet[Checklist]:
    return checklists_of(casino).exclude(sign_off=None)


def next_unchecked_round(sample: Sample, after: int) -> SampledRound | None:
    """The next unchecked round after a position, then from the beginning."""
    waiting = sample.sampled_rounds.filter(verdict="")
    return waiting.filter(place__gt=after).first() or waiting.first()


AnyAnswer = DraftAnswer | ClauseAnswer


@dataclass(frozen=True)
class ClauseRow:
    """A clause of a checklist: the audit's evidence, and the answer, if any."""

    said: ClauseEvidence
    answer: AnyAnswer | None

    @property
    def audit_sentence(self) -> str:
        """For a signed checklist, the sentence recorded at the sign-off."""
        return self.answer.audit_said if isinstance(self.answer, ClauseAnswer) else self.said.sentence

    @property
    def is_contradicted(self) -> bool:
        """Whether it is answered "Yes" although findings of the period cite it."""
        return self.answer is not None and self.answer.verdict == ClauseVerdict.YES and self.said.cited > 0


def load_clause_rows(checklist: Checklist) -> list[ClauseRow]:
    """All clauses with their answers; for a signed checklist, as signed."""
    answers: Mapping[str, AnyAnswer]
    if checklist.is_signed:
        answers = {one.clause: one for one in checklist.answers.select_related("answered_by")}
    else:
        answers = {one.clause: one for one in checklist.drafts.select_related("answered_by")}
    evidence = load_clause_evidence(checklist.version, checklist.since, checklist.until)
    return [ClauseRow(one, answers.get(one.clause)) for one in evidence]


def unanswered_rows(rows: list[ClauseRow]) -> list[ClauseRow]:
    return [row for row in rows if row.answer is None]


def unchecked_rows(rows: list[ClauseRow]) -> list[ClauseRow]:
    """Clauses without an answer that no check bears on: definitions, headings, and what people watch."""
    return [row for row in unanswered_rows(rows) if not row.said.codes]
