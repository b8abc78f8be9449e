"""Filing: incomplete terms are refused, the deadline counts from the receipt, late filings are recorded as late."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from compliance.core.accounts.roles import Role
from compliance.core.web.errors import NotFound
from promotions.shared.duties import promotion_rules_at
from promotions.shared.errors import (
    IncompleteTerms,
    NothingChanged,
    PrizeProhibited,
    PromotionHasBegun,
    RoleRequired,
    SilentRules,
)
from promotions.terms.content.filing_deadline import is_filed_in_time
from promotions.terms.content.terms import Prize
from promotions.terms.models import Draft, Promotion, TermsVersion
from promotions.terms.selectors import published_terms, version_in_force
from promotions.terms.services import add_prescribed_item, begin_draft, file_terms, request_amendment
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import browser_of, hire
from tests.promotions.crew import (
    CAR,
    DAY,
    HOUR,
    NOW,
    START,
    TRIP,
    Crew,
    answers,
    approve_rules,
    file_example_terms,
    make_draft,
)

SECOND = timedelta(seconds=1)


def in_time(version: TermsVersion) -> bool:
    found = promotion_rules_at(version.promotion.casino, version.filed_at)
    assert found is not None
    return is_filed_in_time(version.filed_at, version.starts_at, found.duties.filing)


def test_the_receipt_is_an_entry_with_the_whole_terms_and_their_digest(crew: Crew) -> None:
    version = file_example_terms(crew)
    assert (version.reference, version.promotion.reference) == ("P-1/1", "P-1")
    [entry] = read_entries("harbour", version.entry_index, version.entry_index + 1)
    assert (entry.kind, entry.recorded_at) == ("promotion-terms", NOW)
    assert entry.content()["terms"]["name"] == "Spring Draw"
    assert entry.content()["terms_sha256"] == version.terms_sha256
    assert entry.content()["received_at"] == "2026-11-12T23:00:00.000000Z"
    assert Draft.objects.count() == 0


def test_another_promotion_gets_the_next_number(crew: Crew) -> None:
    assert [file_example_terms(crew).reference, file_example_terms(crew).reference] == ["P-1/1", "P-2/1"]


@pytest.mark.parametrize(
    ("before_start", "verdict"),
    [(24 * HOUR, True), (24 * HOUR - SECOND, False), (24 * HOUR + SECOND, True), (23 * HOUR + 59 * SECOND * 60, False)],
)
def test_24_hours_before_the_start_is_in_time_and_a_second_less_is_late(
    crew: Crew, before_start: timedelta, verdict: bool
) -> None:
    assert in_time(file_example_terms(crew, START, now=START - before_start)) is verdict


def test_the_day_of_23_hours_does_not_count_as_24(crew: Crew) -> None:
    # Clocks in Sydney go forward at 02:00 on Sunday 4 October 2026: from Saturday noon to Sunday noon is 23 hours.
    noon_before, noon = datetime(2026, 10, 3, 2, 0, tzinfo=UTC), datetime(2026, 10, 4, 1, 0, tzinfo=UTC)
    assert not in_time(file_example_terms(crew, noon, now=noon_before))
    assert in_time(file_example_terms(crew, noon, now=noon_before - HOUR))


def test_the_day_of_25_hours_counts_every_one_of_them(crew: Crew) -> None:
    # Clocks in Sydney go back at 03:00 on Sunday 4 April 2027: 13:00 on Saturday is 24 hours before noon on Sunday.
    noon = datetime(2027, 4, 4, 2, 0, tzinfo=UTC)
    saturday_at_one = datetime(2027, 4, 3, 13, 0, tzinfo=crew.harbour.zone)
    assert in_time(file_example_terms(crew, noon, now=saturday_at_one))
    assert not in_time(file_example_terms(crew, noon, now=saturday_at_one + SECOND))


def test_a_change_before_the_start_files_again_and_restarts_the_clock(crew: Crew) -> None:
    first = file_example_terms(crew)
    promotion = first.promotion
    later = START - 2 * HOUR
    draft = make_draft(crew, answers(eligibility={"text": "Members only."}), promotion=promotion, now=later)
    second = file_terms(draft=draft, actor=crew.mara, now=later)
    assert (second.number, in_time(first), in_time(second)) == (2, True, False)
    standing = version_in_force(promotion, later)
    assert standing == second


def test_the_same_words_again_are_no_new_version(crew: Crew) -> None:
    first = file_example_terms(crew)
    draft = make_draft(crew, answers(), promotion=first.promotion)
    with pytest.raises(NothingChanged):
        file_terms(draft=draft, actor=crew.mara, now=NOW)


def test_after_the_start_terms_are_not_filed_again(crew: Crew) -> None:
    first = file_example_terms(crew)
    draft = make_draft(crew, answers(eligibility={"text": "Members only."}), promotion=first.promotion)
    with pytest.raises(PromotionHasBegun):
        file_terms(draft=draft, actor=crew.mara, now=START)


def test_incomplete_terms_are_refused_with_the_clause_and_the_draft_stays(crew: Crew) -> None:
    content = answers()
    del content["eligibility"]
    draft = make_draft(crew, content)
    with pytest.raises(IncompleteTerms, match=r"\(10\.7\.3\)"):
        file_terms(draft=draft, actor=crew.mara, now=NOW)
    assert Draft.objects.get(pk=draft.pk).terms.prizes == (CAR, TRIP)
    assert Promotion.objects.count() == 0


def test_a_start_in_the_past_is_recorded_as_it_was_incomplete_and_late(crew: Crew) -> None:
    content = answers(NOW - DAY)
    del content["eligibility"]
    version = file_terms(draft=make_draft(crew, content), actor=crew.mara, now=NOW)
    assert not in_time(version)


def test_a_prohibited_prize_is_refused_with_the_clause(crew: Crew) -> None:
    cigars = Prize(name="Cigars", type="goods", value_cents=5_000, includes=("tobacco",))
    with pytest.raises(PrizeProhibited, match=r"10\.5\.1"):
        file_example_terms(crew, START, cigars)


def test_only_marketing_and_compliance_file_and_only_where_rules_ask_for_it(crew: Crew) -> None:
    draft = make_draft(crew, answers())
    with pytest.raises(RoleRequired):
        file_terms(draft=draft, actor=crew.cast.ines, now=NOW)
    with pytest.raises(RoleRequired):
        begin_draft(casino=crew.cast.marina, actor=crew.mara, now=NOW)


def test_a_casino_whose_rules_are_silent_says_so(crew: Crew) -> None:
    marina, otto = crew.cast.marina, crew.cast.otto
    milo, cora, ivor = (
        hire(name, marina, role, by=otto)
        for name, role in (
            ("milo", Role.MARKETING),
            ("cora", Role.COMPLIANCE_OFFICER),
            ("ivor", Role.INSPECTOR),
        )
    )
    approve_rules(marina, "mbs-3-card-sic-bo", cora, ivor)
    assert promotion_rules_at(marina, NOW) is None
    with pytest.raises(SilentRules):
        file_terms(draft=begin_draft(casino=marina, actor=milo, now=NOW), actor=milo, now=NOW)


def test_the_database_keeps_versions_as_they_were_written(crew: Crew) -> None:
    file_example_terms(crew)
    for statement in (
        "UPDATE terms_termsversion SET name = 'Other'",
        "DELETE FROM terms_termsversion",
        "DELETE FROM terms_promotion",
    ):
        with pytest.raises(DatabaseError, match=r"permission denied|kept as it was"), transaction.atomic():
            connection.cursor().execute(statement)


def test_terms_are_public_at_once_and_drafts_never(crew: Crew) -> None:
    version = file_example_terms(crew)
    assert published_terms("harbour", 1, 1) == version
    with pytest.raises(NotFound):
        published_terms("harbour", 1, 2)
    with pytest.raises(NotFound):
        published_terms("marina", 1, 1)


@pytest.mark.parametrize("starts", [START, NOW - DAY])
def test_terms_without_a_start_or_a_name_are_refused_with_a_sentence_and_the_draft_stays(
    crew: Crew, starts: datetime
) -> None:
    for item, member in (("place-date-and-time-of-promotion", "starts_at"), ("name", None)):
        content = answers(starts)
        content[item] = {**content[item], member: None} if member else ""
        draft = make_draft(crew, content)
        with pytest.raises(IncompleteTerms):
            file_terms(draft=draft, actor=crew.mara, now=NOW)
        answer = browser_of(crew.mara).post(f"/casinos/harbour/promotions/drafts/{draft.pk}/file/", {"is_late": "on"})
        assert answer.status_code == 200
        words = "when it starts is missing." if member else "The promotion has no name."
        assert words in answer.content.decode()
        assert Draft.objects.filter(pk=draft.pk).exists()
        draft.delete()


def test_an_amendment_in_use_without_a_start_is_refused_with_a_sentence(crew: Crew) -> None:
    first = file_example_terms(crew)
    content = answers(eligibility={"text": "Gold members."})
    content["place-date-and-time-of-promotion"] = {"place": "Floor"}
    draft = make_draft(crew, content, promotion=first.promotion, now=START + DAY)
    with pytest.raises(IncompleteTerms):
        request_amendment(draft=draft, reason="Too many", in_use_at=START + HOUR, actor=crew.mara, now=START + DAY)


def test_terms_with_an_open_question_about_a_prize_are_not_filed(crew: Crew) -> None:
    for free_of in ((), ("tobacco",)):
        carton = Prize(name="A carton of cigarettes", type="goods", value_cents=100, free_of=free_of)
        draft = make_draft(crew, answers(START, carton))
        if free_of:
            assert file_terms(draft=draft, actor=crew.mara, now=NOW).number == 1
        else:
            with pytest.raises(IncompleteTerms, match=r"10\.5\.1"):
                file_terms(draft=draft, actor=crew.mara, now=NOW)


def test_terms_with_an_open_question_about_the_prescribed_list_are_not_filed(crew: Crew) -> None:
    """Only what is on the list when they are filed is asked about."""
    rockets = Prize(name="An evening with a firework", type="goods", value_cents=100)
    assert file_terms(draft=make_draft(crew, answers(START, rockets)), actor=crew.mara, now=NOW).number == 1
    listed = add_prescribed_item(casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=NOW)
    with pytest.raises(IncompleteTerms, match=r"10\.5\.5"):
        file_terms(draft=make_draft(crew, answers(START, rockets)), actor=crew.mara, now=NOW)
    free = Prize(name=rockets.name, type="goods", value_cents=100, free_of=(listed.key,))
    assert file_terms(draft=make_draft(crew, answers(START, free)), actor=crew.mara, now=NOW).number == 1


def test_terms_with_the_very_name_of_a_prescribed_prize_are_not_filed(crew: Crew) -> None:
    listed = add_prescribed_item(casino=crew.harbour, item="Fireworks", basis="A regulation", actor=crew.aron, now=NOW)
    named = Prize(name="Fireworks", type="goods", value_cents=100, free_of=(listed.key,))
    with pytest.raises(PrizeProhibited, match=r"10\.5\.5"):
        file_terms(draft=make_draft(crew, answers(START, named)), actor=crew.mara, now=NOW)


def test_an_earlier_promotion_without_new_times_cannot_be_filed(crew: Crew) -> None:
    draft = begin_draft(casino=crew.harbour, like=file_example_terms(crew), actor=crew.mara, now=NOW)
    with pytest.raises(IncompleteTerms) as refused:
        file_terms(draft=draft, actor=crew.mara, now=NOW)
    for words in ("when it starts", "when it ends", "when it is awarded", "not answered yet. (10.7.6)"):
        assert words in str(refused.value.full_message)
