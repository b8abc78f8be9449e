"""Scenario: findings from overpaid rounds at Harbour, and the people who decide on them.

Ines and Iris are inspectors; Olga is an authority officer; Cora is the operator's compliance officer.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from compliance.audit.models import Finding
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.inspection.reviews.consumer import consume_findings
from compliance.inspection.reviews.models import Decision, Review
from compliance.inspection.reviews.outcomes import OPTION_BY_OUTCOME, Outcome
from compliance.inspection.reviews.services import DecisionInput, decide_finding
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import give_phone, hire

DAY = timedelta(days=1)
# Subjects of made-up findings: no entry of any log, and so nobody's record.
FIRST_SUBJECT = 50_000


class ReviewScenario:
    def __init__(self, house: House) -> None:
        self.house, self.casino = house, house.casino
        cast = house.crew.cast
        self.ines, self.cora, self.sid = cast.ines, house.crew.cora, house.crew.sid
        self.iris = self._hire("iris", Role.INSPECTOR)
        self.olga = self._hire("olga", Role.AUTHORITY_OFFICER)
        self.now = timezone.now()

    def _hire(self, name: str, role: Role) -> User:
        person = hire(name, self.casino, role, by=self.house.crew.cast.ada)
        give_phone(person)
        return person

    def overpay(self, number: int = 1, *, bet: str = "small") -> list[Review]:
        """Rounds in which a wager of $25 was paid a dollar too much: one serious finding each."""
        if "sb-1" not in self.house.rules:
            self.house.open_table()
        for _ in range(number):
            self.house.play((4, 2, 4), wager(bet, 2_500, 5_100 if bet == "small" else 100, id="w-7"))
        return self.audit()

    def audit(self) -> list[Review]:
        self.house.audit()
        consume_findings([self.casino.slug])
        return list(Review.objects.filter(casino=self.casino).select_related("finding", "casino").order_by("pk"))

    def decide(
        self,
        review: Review,
        outcome: Outcome = Outcome.UPHELD,
        *,
        by: User | None = None,
        at: datetime | None = None,
        seen: int | None = None,
        **rest: object,
    ) -> Decision:
        review.refresh_from_db()
        now = at or self.now
        usual: dict[str, object] = {
            "reason": OPTION_BY_OUTCOME[outcome].reasons[0][0],
            "note": "The dealer is inexperienced.",
        }
        if outcome == Outcome.NEEDS_INFORMATION:
            usual |= {"question": "Who paid this wager?", "due_at": now + 7 * DAY}
        if outcome == Outcome.RISK_ACCEPTED:
            usual |= {"accepted_until": now + 30 * DAY}
        decided = DecisionInput(outcome=outcome, **(usual | rest))  # type: ignore[arg-type]
        times = review.decided_times if seen is None else seen
        return decide_finding(review=review, decided=decided, expected_decisions=times, actor=by or self.ines, now=now)


class Place(NamedTuple):
    """What a row of a list of findings needs."""

    casino: Casino
    now: datetime


def many_reviews(office: ReviewScenario | Place, count: int, first: int = 0) -> None:
    """Findings without ledger entries, for tests of lists, which read only these rows."""
    codes, severities = ("SETTLE-OVERPAID", "WAGER-LATE"), ("serious", "breach", "note")
    found = Finding.objects.bulk_create(
        (
            Finding(
                log="harbour",
                entry_index=100_000 + number,
                casino=office.casino,
                code=codes[number % 2],
                severity=severities[number % 3],
                check_name="settlement",
                # Whoever recorded the subject of a finding may not decide it.
                subject_index=FIRST_SUBJECT + number,
                wager=f"w-{number}",
                table=f"sb-{number % 4}",
                at=office.now,
                sentence=f"Sentence {number}.",
                evidence=[0],
                explanation=[],
                found_at=office.now,
                required_cents=100,
                found_cents=200,
            )
            for number in range(first, first + count)
        ),
        batch_size=5_000,
    )
    ranks = {"serious": 0, "breach": 1, "note": 2}
    Review.objects.bulk_create(
        (
            Review(
                finding=one,
                casino=office.casino,
                code=one.code,
                severity=one.severity,
                rank=ranks[one.severity],
                table=one.table,
                bet=f"total:{4 + place % 10}",
                controller="box-1",
                opened_at=office.now,
                due_at=office.now + timedelta(minutes=place),
            )
            for place, one in enumerate(found)
        ),
        batch_size=5_000,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE reviews_review, audit_finding")
