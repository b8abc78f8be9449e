"""Marketing sees the findings about its own records, and comments on them."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape
from pytest_django import Settings
from time_machine import TimeMachineFixture

from compliance.audit.models import Finding
from compliance.audit.run.worker import audit_log
from compliance.inspection.reviews.consumer import consume_findings
from compliance.inspection.reviews.models import Comment
from compliance.reports.kinds.promotions import build_promotion_file
from promotions.claims.models import HandoverType, Payment
from promotions.claims.services import decide_claim, pay_prize, record_claim
from promotions.draws.models import DrawStep
from promotions.draws.services import hold_draw, record_winner, schedule_draw
from promotions.terms.models import Promotion
from promotions.terms.selectors import entries_of_promotion
from rounds.ledger.signing.checkpoints import create_key_file
from tests.compliance.core.accounts.people import browser_of
from tests.promotions.crew import DAY, HOUR, START, Crew, file_example_terms, make_crew

HARBOUR = "/casinos/harbour"
LATER = START + 20 * DAY
GREEN = re.compile(r'tag-success">([^<]*)<')


@pytest.fixture
def crew(settings: Settings, db: None, tmp_path: Path, time_machine: TimeMachineFixture) -> Crew:
    """At a time when the promotion is over."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.LEDGER_KEY_FILE = tmp_path / "ledger.key"
    create_key_file(settings.LEDGER_KEY_FILE)
    crew = make_crew()
    time_machine.move_to(LATER + 12 * DAY)
    return crew


def audit(crew: Crew) -> None:
    list(audit_log(crew.harbour))
    consume_findings(["harbour"])


def text_of(browser: Client, url: str) -> str:
    response = browser.get(url)
    assert response.status_code == 200, url
    return " ".join(response.content.decode().split())


def hold_and_pay(crew: Crew, promotion: Promotion) -> None:
    """A draw that needed a scrutineer and had none, a winner whom nobody tried to tell, and a claim that was paid."""
    common: dict[str, Any] = {"actor": crew.mara, "now": LATER}
    draw = schedule_draw(promotion=promotion, scheduled_at=LATER, place="Stage", method="Barrel", **common)
    hold_draw(
        draw=draw,
        held_at=LATER,
        place="Stage",
        method="Barrel",
        entries=10,
        result="Ticket 4",
        scrutineer="",
        is_confirmed=False,
        **common,
    )
    winner = record_winner(
        draw=draw,
        prize="Hatchback",
        value_cents=2_500_000,
        entry_drawn="Stub 4B",
        person={"name": "Pat"},
        **common,
    )
    claim = record_claim(
        promotion=promotion,
        prize="Hatchback",
        value_cents=2_500_000,
        claimed_at=LATER,
        details="",
        winner=winner,
        **common,
    )
    decide_claim(claim=claim, is_met=True, reasons="", **common)
    pay_prize(
        claim=claim,
        form=HandoverType.CASH_ALTERNATIVE,
        paid_at=LATER,
        chosen={},
        paid={"cash": 100},
        statement="",
        **common,
    )


def test_promotion_draw_and_claim_show_their_findings_and_are_not_green(crew: Crew) -> None:
    version = file_example_terms(crew, START, now=START - HOUR)
    hold_and_pay(crew, version.promotion)
    audit(crew)
    marketing = browser_of(crew.mara)
    terms, held, paid = version.entry_index, DrawStep.objects.get().entry_index, Payment.objects.get().entry_index
    pages = {
        f"{HARBOUR}/promotions/1/": (terms, held, paid),
        f"{HARBOUR}/promotions/1/draws/1/": (held,),
        f"{HARBOUR}/promotions/claims/1/": (paid,),
    }
    for url, subjects in pages.items():
        page = text_of(marketing, url)
        for subject in subjects:
            found = Finding.objects.current().filter(subject_index=subject)
            assert found, subject
            for finding in found:
                for words in (finding.code, escape(finding.sentence), f"Finding {finding.entry_index:,}"):
                    assert words in page, (url, words)
        assert not {"Held", "Paid", "Running", "In force"} & set(GREEN.findall(page)), url
    for url in (f"{HARBOUR}/promotions/all/", f"{HARBOUR}/promotions/1/draws/", f"{HARBOUR}/promotions/claims/"):
        page = text_of(marketing, url)
        assert "finding" in page, url
        assert not GREEN.findall(page), url


def test_marketing_opens_and_comments_on_a_finding_about_its_promotion(crew: Crew) -> None:
    file_example_terms(crew, START, now=START - HOUR)
    audit(crew)
    [finding] = Finding.objects.current().filter(code="PROMO-FILED-LATE")
    marketing = browser_of(crew.mara)
    where = f"{HARBOUR}/findings/{finding.entry_index}/"
    page = text_of(marketing, where)
    assert finding.sentence in page
    assert "/ledger/" not in page, "marketing may not open the ledger"
    marketing.post(f"{where}comment/", {"text": "The Authority agreed by telephone."})
    assert Comment.objects.get().by == crew.mara
    assert "The Authority agreed by telephone." in text_of(marketing, f"{HARBOUR}/promotions/1/")
    inspector = browser_of(crew.cast.ines)
    assert "The Authority agreed by telephone." in text_of(inspector, f"{HARBOUR}/reviews/{finding.entry_index}/")
    assert marketing.get(f"{HARBOUR}/findings/").status_code == 404


def test_the_file_of_a_promotion_has_every_finding_about_it(crew: Crew) -> None:
    """Also about a payment, and one that rests on its winner and whose subject is another entry."""
    version = file_example_terms(crew, START, now=START - HOUR)
    hold_and_pay(crew, version.promotion)
    other = file_example_terms(crew, START, now=START - HOUR)
    late = LATER + 10 * DAY
    record_claim(
        promotion=other.promotion,
        prize="Hatchback",
        value_cents=2_500_000,
        claimed_at=late,
        details="",
        actor=crew.mara,
        now=late,
    )
    audit(crew)
    [unnotified] = Finding.objects.current().filter(code="PROMO-WINNER-LATE")
    assert unnotified.subject_index not in entries_of_promotion(version.promotion)
    document = build_promotion_file(crew.harbour, {"promotion": "P-1"}, late + timedelta(days=1)).document
    section = next(each for each in document.sections if each.title == "Not as the rules say")
    assert section.grid is not None
    shown = {row.cells[0] for row in section.grid.rows}
    of_payment = Finding.objects.current().filter(subject_index=Payment.objects.get().entry_index)
    assert of_payment
    assert {"PROMO-FILED-LATE", "PROMO-SCRUTINEER", "PROMO-WINNER-LATE", *(one.code for one in of_payment)} <= shown
    assert sum(row.cells[0] == "PROMO-FILED-LATE" for row in section.grid.rows) == 1


def test_a_finding_about_winners_is_shown_there_and_not_where_the_deadline_was_noticed(crew: Crew) -> None:
    """The first entry after the deadline is a filing of another promotion, which is in order."""
    version = file_example_terms(crew, START, now=START - 30 * DAY)
    hold_and_pay(crew, version.promotion)
    late = LATER + 10 * DAY
    other = file_example_terms(crew, late + 30 * DAY, now=late)
    audit(crew)
    [unnotified] = Finding.objects.current().filter(code="PROMO-WINNER-LATE")
    assert unnotified.subject_index == other.entry_index
    marketing = browser_of(crew.mara)
    for url in ("1/", "1/draws/1/", "1/draws/1/winners/1/"):
        assert "PROMO-WINNER-LATE" in text_of(marketing, f"{HARBOUR}/promotions/{url}"), url
    for url in ("2/", "2/versions/1/"):
        assert "PROMO-WINNER-LATE" not in text_of(marketing, f"{HARBOUR}/promotions/{url}"), url
    listed = text_of(marketing, f"{HARBOUR}/promotions/all/")
    [row] = [row for row in listed.split("<tr") if "/promotions/2/" in row]
    assert "finding" not in row


def test_the_list_of_promotions_takes_as_many_queries_for_five_as_for_one(crew: Crew) -> None:
    marketing, counts = browser_of(crew.mara), []
    for further in (1, 4):
        for _ in range(further):
            file_example_terms(crew, START, now=START - HOUR)
        audit(crew)
        text_of(marketing, f"{HARBOUR}/promotions/all/")
        with CaptureQueriesContext(connection) as captured:
            text_of(marketing, f"{HARBOUR}/promotions/all/")
        counts.append(len(captured))
    assert counts[0] == counts[1]
