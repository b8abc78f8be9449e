"""The queue: order, claims, lists with very many findings, and group decisions."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compliance.core.web.errors import NotFound
from compliance.inspection.reviews.errors import GroupChanged, HeldByAnother, NothingWaits
from compliance.inspection.reviews.models import Decision, Review
from compliance.inspection.reviews.outcomes import Outcome
from compliance.inspection.reviews.selectors import count_reviews, group_reviews, groups_of, reviews_of
from compliance.inspection.reviews.services import (
    DecisionInput,
    claim_finding,
    claim_next_finding,
    decide_group,
    release_claim,
)
from compliance.inspection.reviews.services.finding_claims import CLAIM_DURATION
from compliance.inspection.reviews.views.forms import STATE_CHOICES
from tests.compliance.audit.round_builders import wager
from tests.compliance.core.accounts.people import browser_of, sign_off
from tests.compliance.inspection.reviews.scenario import DAY, ReviewScenario, many_reviews

QUEUE = "/casinos/harbour/reviews/"


@pytest.fixture
def inspector(office: ReviewScenario) -> Client:
    return browser_of(office.ines)


def test_the_gravest_comes_first_and_nobody_gets_what_another_holds(office: ReviewScenario) -> None:
    many_reviews(office, 6)
    first = claim_next_finding(casino=office.casino, actor=office.ines, now=office.now)
    second = claim_next_finding(casino=office.casino, actor=office.iris, now=office.now)
    assert (first.severity, second.severity) == ("serious", "serious")
    assert first != second
    assert claim_next_finding(casino=office.casino, actor=office.ines, now=office.now) == first, (
        "what one holds comes first"
    )
    third = claim_next_finding(casino=office.casino, actor=office.olga, now=office.now)
    assert third.severity == "breach"
    with pytest.raises(HeldByAnother, match="Ines"):
        claim_finding(review=first, actor=office.iris, now=office.now)


def test_a_claim_runs_out_by_itself(office: ReviewScenario) -> None:
    many_reviews(office, 1)
    review = claim_next_finding(casino=office.casino, actor=office.ines, now=office.now)
    just_before = office.now + CLAIM_DURATION - timedelta(microseconds=1)
    with pytest.raises(NothingWaits):
        claim_next_finding(casino=office.casino, actor=office.iris, now=just_before)
    assert claim_next_finding(casino=office.casino, actor=office.iris, now=office.now + CLAIM_DURATION) == review


def test_what_is_put_back_is_there_for_others_and_the_next_is_another(office: ReviewScenario) -> None:
    many_reviews(office, 4)
    first = claim_next_finding(casino=office.casino, actor=office.ines, now=office.now)
    release_claim(review=first, actor=office.ines, now=office.now)
    other = claim_next_finding(casino=office.casino, actor=office.ines, now=office.now, after=first)
    assert other != first
    assert claim_next_finding(casino=office.casino, actor=office.iris, now=office.now) == first


def test_outsiders_and_the_operator_have_no_queue(office: ReviewScenario) -> None:
    many_reviews(office, 1)
    for person in (office.cora, office.sid, office.house.crew.cast.otto):
        with pytest.raises(NotFound):
            claim_next_finding(casino=office.casino, actor=person, now=office.now)


def test_filters_and_counts_and_nonsense_in_the_address(office: ReviewScenario, inspector: Client) -> None:
    many_reviews(office, 12)

    def count(query: str) -> int:
        return int(inspector.get(f"{QUEUE}?{query}").context["table"].count)

    assert count("") == 12
    assert count("severity=serious") == 4
    assert count("code=WAGER-LATE&table=sb-1") == 3
    assert count("state=decided") == 0
    assert count("state=all") == 12
    assert count("late=on") <= 12
    assert count("code=NONSENSE&severity=huge&page=99&sort=password") == 12
    assert count_reviews(office.casino, office.now + timedelta(minutes=6)).late == 6


# Query counts of each page of the queue, the same for two findings as for any number.
PINNED = {
    "": 14, "?severity=note": 15, "?code=WAGER-LATE&table=sb-1": 15, "?state=all&sort=-opened_at": 14, "?late=on": 15,
    "?state=unanswered": 8, "groups/": 6, "groups/?by=table": 6,
    "groups/?by=controller&code=WAGER-LATE&value=box-1": 10,
}  # fmt: skip


def test_thousands_take_as_many_queries_as_a_few_and_the_next_comes_from_the_index(
    office: ReviewScenario, inspector: Client
) -> None:
    many_reviews(office, 12)
    assert {address: queries_at(inspector, address) for address in PINNED} == PINNED
    many_reviews(office, 3_000, first=12)
    assert {address: queries_at(inspector, address) for address in PINNED} == PINNED
    with CaptureQueriesContext(connection) as for_many:
        assert "3,012" in inspector.get(QUEUE).content.decode()
    [listed] = [query["sql"] for query in for_many.captured_queries if "LIMIT 50" in query["sql"]]
    assert "reviews_listed" in plan_of(listed), "the list comes in order from its index, however long it is"
    with CaptureQueriesContext(connection) as claiming:
        claim_next_finding(casino=office.casino, actor=office.ines, now=office.now)
    # The consumer locks its cursor row with SKIP LOCKED too; the claim is the query on reviews.
    locking = [query["sql"] for query in claiming.captured_queries if "SKIP LOCKED" in query["sql"]]
    [claim] = [sql for sql in locking if "reviews_review" in sql]
    plan = plan_of(claim)
    assert "Index Scan using reviews_" in plan, plan
    assert "Sort" not in plan, plan


def queries_at(browser: Client, address: str) -> int:
    """Of a user whose session and caches are warm."""
    browser.get(QUEUE)
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(f"{QUEUE}{address}").status_code == 200
    return len(queries)


def test_what_waits_is_counted_in_an_index_and_no_row_is_read_for_it(office: ReviewScenario) -> None:
    many_reviews(office, 3_000)
    with CaptureQueriesContext(connection) as counting:
        count_reviews(office.casino, office.now)
    [counted] = [query["sql"] for query in counting.captured_queries]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
    plan = plan_of(counted)
    assert "Index Only Scan using reviews_counts" in plan, plan
    assert "Index Only Scan using reviews_queue" in plan, plan


def test_the_list_of_every_state_is_as_long_as_its_figure_says(office: ReviewScenario, inspector: Client) -> None:
    many_reviews(office, 9)
    asked, decided, *_ = Review.objects.filter(severity="note")
    office.decide(asked, Outcome.NEEDS_INFORMATION, at=office.now - 8 * DAY)
    office.decide(decided, Outcome.NOT_UPHELD)
    for state, _ in STATE_CHOICES:
        chosen = {"state": state}
        known = count_reviews(office.casino, office.now).list_size(chosen)
        assert known == reviews_of(office.casino, chosen, office.now).count(), state
        assert inspector.get(f"{QUEUE}?state={state}").context["table"].count == known, state
    assert count_reviews(office.casino, office.now).list_size({"state": "", "severity": "note"}) is None


def plan_of(sql: str) -> str:
    """Disables sorting, so that the plan shows whether an index provides the order, whatever the statistics."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN {sql}")
        return "\n".join(row[0] for row in cursor.fetchall())


def test_a_group_of_five_hundred_is_decided_on_one_page(office: ReviewScenario, inspector: Client) -> None:
    many_reviews(office, 1_000)
    [group] = [one for one in groups_of(office.casino, "table") if (one.code, one.value) == ("SETTLE-OVERPAID", "sb-0")]
    assert group.number == 250
    assert group.difference_cents == 250 * 100
    [group] = [one for one in groups_of(office.casino, "controller") if one.code == "SETTLE-OVERPAID"]
    assert group.number == 500
    query = "?by=controller&value=box-1&code=SETTLE-OVERPAID"
    assert "500 findings can be decided together" in inspector.get(f"{QUEUE}groups/{query}").content.decode()
    form = f"{QUEUE}groups/decide/upheld/{query}"
    assert "Uphold: 500 findings" in inspector.get(form).content.decode()
    typed = {"reason": "equipment", "note": "One broken controller.", "seen": "500"}
    refused = inspector.post(form, typed)
    assert "Enter your password" in refused.content.decode()
    assert "One broken controller." in refused.content.decode()
    with CaptureQueriesContext(connection) as queries:
        answer = inspector.post(form, typed | sign_off(office.ines), follow=True)
    assert "500 findings: upheld." in answer.content.decode()
    assert len(queries) < 64
    assert Decision.objects.count() == 500
    assert Decision.objects.values("entry_index").distinct().count() == 500
    assert Review.objects.waiting().count() == 500


def test_a_group_that_changed_meanwhile_is_not_decided_unseen(office: ReviewScenario) -> None:
    many_reviews(office, 8)
    group = group_reviews(office.casino, "controller", "box-1", "SETTLE-OVERPAID")
    claim_finding(review=Review.objects.filter(code="SETTLE-OVERPAID")[0], actor=office.iris, now=office.now)
    decided = DecisionInput(outcome=Outcome.UPHELD, reason="equipment", note="One broken controller.")
    with pytest.raises(GroupChanged):
        decide_group(casino=office.casino, group=group, decided=decided, expected=4, actor=office.ines, now=office.now)
    assert Decision.objects.count() == 0
    made = decide_group(
        casino=office.casino, group=group, decided=decided, expected=3, actor=office.ines, now=office.now
    )
    assert len(made) == 3


def test_what_findings_have_in_common_is_read_from_their_rounds(office: ReviewScenario) -> None:
    office.house.open_table()
    office.house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-1"), wager("big", 500, 100, id="w-2"))
    reviews = {one.finding.wager: one for one in office.audit()}
    assert (reviews["w-1"].bet, reviews["w-2"].bet) == ("small", "big")
    assert {one.controller for one in reviews.values()} == {"box-1"}


def test_the_page_of_a_finding_takes_as_many_queries_for_thirty_wagers_as_for_one(
    office: ReviewScenario, inspector: Client
) -> None:
    [review] = office.overpay()
    few = queries_of(inspector, review)
    more = [wager("big", 500, 0, id=f"w-{number}") for number in range(30)]
    office.house.play((4, 2, 4), wager("small", 2_500, 5_100, id="w-x"), *more)
    second = next(one for one in office.audit() if one != review)
    assert queries_of(inspector, second) == few


def queries_of(browser: Client, review: Review) -> int:
    browser.get(QUEUE)
    with CaptureQueriesContext(connection) as queries:
        answer = browser.get(f"{QUEUE}{review.finding.entry_index}/")
    assert answer.status_code == 200
    return len(queries)


def test_the_check_performed_again_and_under_another_reading(office: ReviewScenario, inspector: Client) -> None:
    [review] = office.overpay()
    page = inspector.get(f"{QUEUE}{review.finding.entry_index}/reperform/").content.decode()
    assert "The same came out as was recorded." in page
    assert "Adopted" in page
    svg = inspector.get(f"{QUEUE}{review.finding.entry_index}/timeline.svg").content.decode()
    assert "No more bets called" in svg


def test_somebody_elses_decision_keeps_what_was_typed(office: ReviewScenario, inspector: Client) -> None:
    [review] = office.overpay()
    address = f"{QUEUE}{review.finding.entry_index}/decide/explained/"
    office.decide(review, by=office.iris)
    typed = {"reason": "corrected", "note": "My long note.", "seen": "0"} | sign_off(office.ines)
    answer = inspector.post(address, typed).content.decode()
    assert "was decided while your page was open" in answer
    assert "My long note." in answer
    assert Decision.objects.count() == 1
