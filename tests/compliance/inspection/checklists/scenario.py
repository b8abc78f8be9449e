"""Scenario: rounds played and audited at Harbour, from which Ines draws samples and answers checklists."""

from datetime import UTC, datetime

from compliance.core.accounts.models import User
from compliance.inspection.checklists.answer_choices import AnswerBasis, ClauseVerdict
from compliance.inspection.checklists.models import Checklist, DraftAnswer, Sample, SignOff
from compliance.inspection.checklists.services import (
    GivenAnswer,
    answer_clause,
    begin_checklist,
    draw_sample,
    seed_sample,
    sign_off_checklist,
)
from rounds.floor.fact_values import TableRulesValue
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of
from tests.compliance.audit.round_builders import NSW, wager
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.rounds.floor.crew import new_table, record_table_fact

SINCE, UNTIL = datetime(2026, 11, 16, tzinfo=UTC), datetime(2026, 11, 17, tzinfo=UTC)


class ChecklistScenario:
    def __init__(self, office: ReviewScenario) -> None:
        self.office, self.house, self.casino, self.ines, self.iris = (
            office,
            office.house,
            office.casino,
            office.ines,
            office.iris,
        )
        self.now = office.now

    def play(self, honest: int = 0, overpaid: int = 0) -> list[int]:
        """Plays rounds with one winning wager of $25 on small; `overpaid` of them return a dollar too much."""
        if "sb-1" not in self.house.rules:
            self.house.open_table()
        paid = [5_000] * honest + [5_100] * overpaid
        indexes = [self.house.play((4, 2, 4), wager("small", 2_500, back, id="w-7")) for back in paid]
        self.office.audit()
        return indexes

    def second_table(self, slug: str) -> None:
        """Adds a table under the same rules as the first."""
        record_table_fact(self.house.crew, new_table(self.house.crew, slug), TableRulesValue(rules=NSW))
        self.house.rules[slug] = NSW

    @property
    def version(self) -> RuleVersion:
        return RuleVersion.objects.select_related("casino").get(casino=self.casino, approved_at__isnull=False)

    def sample(self, size: int = 5, **rest: object) -> Sample:
        asked = {"purpose": "Spot check", "since": SINCE, "until": UNTIL, "tables": [], "size": size} | rest
        sample = seed_sample(casino=self.casino, actor=self.ines, now=self.now, **asked)  # type: ignore[arg-type]
        draw_sample(sample=sample, now=self.now)
        return sample

    def begin(self, supersedes: Checklist | None = None) -> Checklist:
        return begin_checklist(
            casino=self.casino,
            version=self.version,
            since=SINCE,
            until=UNTIL,
            supersedes=supersedes,
            actor=self.ines,
            now=self.now,
        )

    def answer(
        self,
        checklist: Checklist,
        clause: str,
        verdict: ClauseVerdict = ClauseVerdict.YES,
        basis: AnswerBasis = AnswerBasis.OBSERVATION,
        comment: str = "",
        *,
        seen: int = 0,
        by: User | None = None,
    ) -> DraftAnswer:
        return answer_clause(
            checklist=checklist,
            clause=clause,
            answer=GivenAnswer(verdict=verdict, basis=basis, comment=comment),
            expected_changes=seen,
            actor=by or self.ines,
            now=self.now,
        )

    def answer_all(self, checklist: Checklist) -> list[str]:
        clauses = list(pack_of(checklist.version).clauses)
        done = set(checklist.drafts.values_list("clause", flat=True))
        DraftAnswer.objects.bulk_create(
            DraftAnswer(
                checklist=checklist,
                clause=clause,
                verdict=ClauseVerdict.YES,
                basis=AnswerBasis.OBSERVATION,
                answered_by=self.ines,
                answered_at=self.now,
            )
            for clause in clauses
            if clause not in done
        )
        return clauses

    def sign(self, checklist: Checklist, conclusion: str = "The rules are kept, but for one payment.") -> SignOff:
        return sign_off_checklist(checklist=checklist, conclusion=conclusion, actor=self.ines, now=self.now)
