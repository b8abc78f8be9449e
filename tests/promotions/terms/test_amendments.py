"""After the start, terms change only with the Authority's approval, from that time on."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from compliance.core.accounts.models import RoleAssignment, User
from compliance.core.accounts.roles import Role
from compliance.core.accounts.separation import TookPartBefore
from compliance.core.accounts.services.roles import end_role, give_role
from compliance.core.web.errors import NotFound
from promotions.shared.errors import (
    AmendmentPending,
    DecidedAlready,
    NothingToDecide,
    NotIndependent,
    PromotionNotBegun,
    RoleRequired,
)
from promotions.terms.content.diff import compare_terms
from promotions.terms.models import AmendmentDecision, TermsVersion
from promotions.terms.selectors import amendments_waiting_for, is_independent, published_terms, version_in_force
from promotions.terms.services import decide_amendment, request_amendment
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import hire
from tests.promotions.crew import DAY, HOUR, NOW, START, Crew, answers, file_example_terms, make_draft

LATER = START + DAY
SECOND = timedelta(seconds=1)
NARROWER: dict[str, Any] = {"eligibility": {"text": "Gold members only."}}


def asked(crew: Crew, first: TermsVersion, **more: object) -> TermsVersion:
    draft = make_draft(crew, answers(**NARROWER), promotion=first.promotion, now=LATER)
    return request_amendment(draft=draft, reason="Too many entries", actor=crew.mara, now=LATER, **more)  # type: ignore[arg-type]


def test_an_amendment_is_in_force_only_when_it_is_approved(crew: Crew) -> None:
    first = file_example_terms(crew)
    second = asked(crew, first)
    assert version_in_force(first.promotion, LATER + HOUR) == first
    with pytest.raises(NotFound):
        published_terms("harbour", 1, 2)
    decision = decide_amendment(
        version=second, is_approved=True, reasons="Fair enough", actor=crew.aron, now=LATER + HOUR
    )
    assert version_in_force(first.promotion, LATER + HOUR) == second
    assert version_in_force(first.promotion, LATER) == first
    assert published_terms("harbour", 1, 2) == second
    [entry] = read_entries("harbour", decision.entry_index, decision.entry_index + 1)
    assert entry.kind == "promotion-amendment-decided"
    assert (entry.content()["decision"], entry.content()["terms_sha256"]) == ("approved", second.terms_sha256)


def test_a_refused_amendment_never_comes_into_force_and_stays_unpublished(crew: Crew) -> None:
    first = file_example_terms(crew)
    second = asked(crew, first)
    decide_amendment(version=second, is_approved=False, reasons="Unfair", actor=crew.aron, now=LATER)
    assert version_in_force(first.promotion, LATER + 30 * DAY) == first
    with pytest.raises(NotFound):
        published_terms("harbour", 1, 2)


def test_only_an_authority_officer_decides_and_once(crew: Crew) -> None:
    second = asked(crew, file_example_terms(crew))
    for person in (crew.mara, crew.cleo, crew.cast.ines):
        with pytest.raises(RoleRequired):
            decide_amendment(version=second, is_approved=True, reasons="Yes", actor=person, now=LATER)
    decide_amendment(version=second, is_approved=True, reasons="Yes", actor=crew.aron, now=LATER)
    with pytest.raises(DecidedAlready):
        decide_amendment(version=second, is_approved=False, reasons="No", actor=crew.aron, now=LATER)


def test_there_is_nothing_to_decide_about_terms_that_are_no_amendment_or_not_asked_for_yet(crew: Crew) -> None:
    first = file_example_terms(crew)
    second = asked(crew, first)
    for version, now in ((first, LATER), (second, LATER - HOUR)):
        with pytest.raises(NothingToDecide):
            decide_amendment(version=version, is_approved=True, reasons="Yes", actor=crew.aron, now=now)
    assert not AmendmentDecision.objects.exists()


def test_one_amendment_waits_at_a_time(crew: Crew) -> None:
    first = file_example_terms(crew)
    asked(crew, first)
    with pytest.raises(AmendmentPending):
        asked(crew, first)


def test_before_the_start_there_is_nothing_to_amend(crew: Crew) -> None:
    first = file_example_terms(crew)
    draft = make_draft(crew, answers(**NARROWER), promotion=first.promotion)
    with pytest.raises(PromotionNotBegun):
        request_amendment(draft=draft, reason="Too many entries", actor=crew.mara, now=START - HOUR)


def test_the_comparison_shows_what_changes_and_only_that(crew: Crew) -> None:
    first = file_example_terms(crew)
    second = asked(crew, first)
    changed = [row for row in compare_terms(first.terms, second.terms, crew.harbour) if row.is_changed]
    assert [(row.title, row.before, row.after) for row in changed] == [
        ("Who can win", ("Members aged 18 or more.",), ("Gold members only.",))
    ]


def test_the_database_lets_nobody_decide_about_a_filing(crew: Crew) -> None:
    first = file_example_terms(crew)
    with pytest.raises(DatabaseError, match="no amendment"), transaction.atomic():
        AmendmentDecision.objects.create(
            version=first, is_approved=True, reasons="Yes", by=crew.aron, at=NOW, log="harbour", entry_index=10**6
        )


def change_sides(crew: Crew, person: User, ended: datetime) -> None:
    """The person leaves the casino and becomes an authority officer."""
    end_role(held=person.roles.current().get(), actor=crew.cast.ada, now=ended)
    give_role(
        subject=person, casino=crew.harbour, role=Role.AUTHORITY_OFFICER, actor=crew.cast.gail, now=ended + SECOND
    )


def test_whoever_asked_cannot_decide_whichever_role_they_were_given(crew: Crew) -> None:
    second = asked(crew, file_example_terms(crew))
    change_sides(crew, crew.mara, LATER)
    with pytest.raises(TookPartBefore):
        decide_amendment(version=second, is_approved=True, reasons="Yes", actor=crew.mara, now=LATER + HOUR)
    assert list(amendments_waiting_for(crew.aron)) == [second]


@pytest.mark.parametrize(("ended", "may"), [(LATER, True), (LATER - SECOND, True), (LATER + SECOND, False)])
def test_nobody_who_worked_for_the_casino_since_then_decides(crew: Crew, ended: datetime, may: bool) -> None:
    second = asked(crew, file_example_terms(crew))
    change_sides(crew, crew.cleo, ended)
    assert is_independent(crew.cleo, second) is may


def test_nobody_decides_by_a_role_from_whoever_asked(crew: Crew) -> None:
    """A role given before only the government's administrators gave them."""
    olga = hire("olga", crew.cast.marina, Role.AUTHORITY_OFFICER, by=crew.cast.otto)
    RoleAssignment.objects.create(
        user=olga, casino=crew.harbour, role=Role.AUTHORITY_OFFICER, given_by=crew.mara, given_at=LATER - HOUR
    )
    second = asked(crew, file_example_terms(crew))
    assert not is_independent(olga, second)
    with pytest.raises(NotIndependent):
        decide_amendment(version=second, is_approved=True, reasons="Yes", actor=olga, now=LATER + HOUR)
    assert is_independent(crew.aron, second)
