"""The page that decides an amendment shows both texts with the changes marked; those concerned are told."""

import pytest
import time_machine
from django.core import mail

from compliance.core.accounts.roles import Role
from compliance.core.web.mail.outbox import send_due_emails
from compliance.core.web.models import OutgoingEmail
from compliance.pages.inbox import inbox_items
from promotions.terms.content.diff import MarkedLine, Piece, SectionDiff, compare_terms
from promotions.terms.selectors import RECENT
from promotions.terms.services import decide_amendment
from tests.compliance.core.accounts.people import browser_of, hire
from tests.promotions.crew import HOUR, NOW, Crew, file_example_terms
from tests.promotions.terms.test_amendments import LATER, asked


def changed_words(lines: list[MarkedLine]) -> list[list[str]]:
    return [[piece.text for piece in line if piece.is_changed] for line in lines]


def test_words_that_changed_are_marked_on_both_sides() -> None:
    row = SectionDiff("Who can win", ("Members aged 18 or more.", "Ask us."), ("Gold members aged 18.", "Ask us."))
    before, after = row.marked_lines()
    assert changed_words(before) == [["Members ", "18 or more."], []]
    assert changed_words(after) == [["Gold members ", "18."], []]
    assert ["".join(piece.text for piece in line) for line in after] == list(row.after)
    same = SectionDiff("Who can win", ("One.", "Two."), ("One.", "Two.")).marked_lines()
    assert same == ([(Piece("One.", False),), (Piece("Two.", False),)],) * 2
    assert changed_words(SectionDiff("Who can win", ("One.",), ("One.", "Two.")).marked_lines()[1]) == [[], ["Two."]]


def test_each_detail_of_a_prize_is_a_line(crew: Crew) -> None:
    first = file_example_terms(crew)
    [prizes] = [row for row in compare_terms(first.terms, first.terms, crew.harbour) if row.title == "Prizes"]
    assert prizes.after[:3] == ("Hatchback", "Kind: Motor vehicle", "Value: $25,000.00")
    assert ";" not in "".join(prizes.after)


def test_the_decision_is_taken_beside_both_texts(crew: Crew) -> None:
    second = asked(crew, file_example_terms(crew))
    with time_machine.travel(LATER + HOUR, tick=False):
        page = browser_of(crew.aron).get(second.address("decide")).content.decode()
    assert "Version 1 and the new terms, side by side" in page
    assert '<span class="line"><del>Members aged 18 or more.</del></span>' in page
    assert '<span class="line"><ins>Gold members only.</ins></span>' in page
    assert page.count(">Changed<") == 2, "the heading of the column, and one section"


def test_the_authority_is_told_of_a_filing_and_of_a_request_and_the_casino_of_the_decision(crew: Crew) -> None:
    elsewhere = hire("olga", crew.cast.marina, Role.AUTHORITY_OFFICER, by=crew.cast.otto)
    second = asked(crew, file_example_terms(crew))
    officers, casino = {crew.aron.email}, {crew.mara.email, crew.cleo.email}
    assert {email.to for email in OutgoingEmail.objects.filter(created_at=NOW)} == officers
    assert {email.to for email in OutgoingEmail.objects.filter(created_at=LATER)} == officers
    decide_amendment(version=second, is_approved=False, reasons="Unfair", actor=crew.aron, now=LATER + HOUR)
    assert {email.to for email in OutgoingEmail.objects.filter(created_at=LATER + HOUR)} == casino
    send_due_emails(lambda: LATER + HOUR)
    filed, asked_for, *decided = mail.outbox
    assert "filed the terms of" in filed.subject
    assert "asks for an amendment of" in asked_for.subject
    assert f"{second.address('decide')}\n" in asked_for.body
    assert "Too many entries" in asked_for.body
    assert all(message.subject.startswith("Refused: the amendment of") for message in decided)
    assert "Unfair" in decided[0].body
    assert f"{second.address('version')}\n" in decided[0].body
    assert elsewhere.email not in {email.to for email in OutgoingEmail.objects.all()}


@pytest.mark.parametrize("is_approved", [True, False])
def test_filings_and_decisions_are_on_the_home_page_for_some_days(crew: Crew, is_approved: bool) -> None:
    first = file_example_terms(crew)

    def items(person: object, now: object) -> set[tuple[str, str]]:
        return {(one.label, one.state) for one in inbox_items(person, now)}  # type: ignore[arg-type]

    filing = (f"Read the terms of {first.name}", "Filed")
    assert filing in items(crew.aron, NOW + HOUR)
    assert filing not in items(crew.mara, NOW + HOUR)
    assert filing not in items(crew.aron, NOW + RECENT)
    second = asked(crew, first)
    decide_amendment(version=second, is_approved=is_approved, reasons="So it is", actor=crew.aron, now=LATER)
    decision = (f"The amendment of {first.name} is decided", "Approved" if is_approved else "Refused")
    assert decision in items(crew.mara, LATER + HOUR)
    assert decision not in items(crew.aron, LATER + HOUR)
    assert decision not in items(crew.mara, LATER + RECENT)
