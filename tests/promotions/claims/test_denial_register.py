"""Register of denied claims with 0, 1 and 10,000 rows: constant number of queries, and a complete export."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from compliance.privacy.personal_data.models import DetailsAccess
from promotions.claims.models import Claim, ClaimDecision
from promotions.claims.services import decide_claim, record_claim
from promotions.terms.models import Promotion
from tests.compliance.core.accounts.people import browser_of
from tests.pdf_text import extract_text
from tests.promotions.crew import START, Crew, file_example_terms

PLACE = "/casinos/harbour/promotions/claims/"
PAT = {"name": "Pat Example", "address": "12 Quay Street"}


def deny_many(crew: Crew, count: int, promotion: Promotion, first: int = 1) -> None:
    claims = Claim.objects.bulk_create(
        Claim(
            casino=crew.harbour,
            number=number,
            promotion=promotion,
            prize="Dinner",
            value_cents=5_000,
            claimed_at=START,
            by=crew.mara,
            at=START,
            log="harbour",
            entry_index=10**6 + number,
        )
        for number in range(first, first + count)
    )
    ClaimDecision.objects.bulk_create(
        ClaimDecision(
            claim=claim,
            is_met=False,
            reasons="Closed.",
            by=crew.mara,
            at=START,
            log="harbour",
            entry_index=2 * 10**6 + claim.number,
        )
        for claim in claims
    )


def queries(crew: Crew, address: str) -> int:
    browser = browser_of(crew.mara)
    browser.get(address)
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(address).status_code == 200
    return len(captured)


def test_the_pages_take_as_many_queries_for_ten_thousand_rows_as_for_one(crew: Crew) -> None:
    addresses = (f"{PLACE}denied/", PLACE, "/casinos/harbour/promotions/", "/casinos/harbour/promotions/all/")
    assert b"No claim has been denied." in browser_of(crew.mara).get(f"{PLACE}denied/").content
    deny_many(crew, 1, file_example_terms(crew).promotion)
    few = [queries(crew, address) for address in addresses]
    deny_many(crew, 9_999, promotion=Claim.objects.get().promotion, first=2)
    many = [queries(crew, address) for address in addresses]
    assert [count <= base + 2 for count, base in zip(many, few, strict=True)] == [True] * 4
    export: Any = browser_of(crew.mara).get(f"{PLACE}denied.csv")
    exported = b"".join(export.streaming_content)
    assert exported.count(b"\r\n") == 10_001


def denied(crew: Crew) -> Claim:
    claim = record_claim(
        promotion=file_example_terms(crew).promotion,
        prize="Hatchback",
        value_cents=10_001,
        claimed_at=START,
        details="",
        actor=crew.mara,
        now=START,
    )
    decide_claim(claim=claim, is_met=False, reasons="=Ticket 18 was not drawn.", person=PAT, actor=crew.mara, now=START)
    return claim


def test_no_name_is_in_the_register_or_its_export(crew: Crew) -> None:
    denied(crew)
    browser = browser_of(crew.cast.ines)
    export: Any = browser.get(f"{PLACE}denied.csv")
    exported = b"".join(export.streaming_content)
    assert b"'=Ticket 18 was not drawn." in exported
    for text in (exported.decode(), browser.get(f"{PLACE}denied/").content.decode()):
        assert "Pat Example" not in text
        assert "Quay" not in text


@pytest.mark.django_db(transaction=True)
def test_the_letter_bears_name_reasons_and_right_and_is_a_look(crew: Crew) -> None:
    denied(crew)
    browser = browser_of(crew.mara)
    assert b"Pat Example" not in browser.get(f"{PLACE}1/letter/").content
    assert DetailsAccess.objects.count() == 0
    letter = extract_text(browser.post(f"{PLACE}1/letter/").content)
    for said in ("Pat Example", "12 Quay Street", "Ticket 18 was not drawn.", "$100.01", "section 33"):
        assert said in letter
    [look] = DetailsAccess.objects.all()
    assert (look.by, look.purpose) == (crew.mara, "contact")
