"""The pages of personal data: what they show, what they never show, and the number of queries."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from compliance.privacy.personal_data.models import (
    Destruction,
    DetailsAccess,
    PersonalRecord,
    RetentionHold,
    RetentionRule,
)
from compliance.privacy.personal_data.services import destroy_details, hold_record
from compliance.privacy.personal_data.subjects import CLAIM
from tests.compliance.core.accounts.people import Cast, browser_of, sign_off
from tests.compliance.privacy.personal_data.conftest import Overseers
from tests.compliance.privacy.personal_data.records import KEPT_AT, keep

PLACE = "/casinos/harbour/personal-data/"


def text(browser: Client, address: str) -> str:
    page = browser.get(address)
    assert page.status_code == 200
    return page.content.decode()


def test_with_nothing_kept_every_page_says_so_plainly(cast: Cast) -> None:
    ines = browser_of(cast.ines)
    assert "No personal details are kept here yet." in text(ines, PLACE)
    assert "Nobody has looked at any details." in text(ines, f"{PLACE}looks/")
    assert "Nothing has been destroyed." in text(ines, f"{PLACE}destroyed/")
    retention = text(ines, f"{PLACE}retention/")
    assert "the defaults hold" in retention
    assert retention.count(">7<") == 4


def test_the_list_shows_records_without_a_detail_and_can_be_filtered(cast: Cast, more: Overseers) -> None:
    keep(cast.harbour, reference="D-7")
    held = keep(cast.harbour, reference="D-2")
    hold_record(held=held, until_on=date(2040, 5, 1), reason="Court case 7", actor=cast.ines, now=KEPT_AT)
    keep(cast.harbour, reference="C-3", subject=CLAIM)
    gone = keep(cast.harbour, reference="D-4")
    destroy_details(doomed=gone, reason="Kept by mistake", actor=more.aron, now=KEPT_AT)
    ines = browser_of(cast.ines)
    page = text(ines, PLACE)
    assert all(words in page for words in ("D-7", "D-2", "C-3", "D-4", "1 May 2040", "16 Nov 2033", "Destroyed"))
    assert "Pat" not in page
    found = {
        state: [reference for reference in ("D-7", "D-2", "C-3", "D-4") if reference in text(ines, f"{PLACE}?{state}")]
        for state in ("state=kept", "state=held", "state=due", "state=destroyed", "subject=claim", "reference=d-2")
    }
    assert found == {
        "state=kept": ["D-7", "C-3"],
        "state=held": ["D-2"],
        "state=due": [],
        "state=destroyed": ["D-4"],
        "subject=claim": ["C-3"],
        "reference=d-2": ["D-2"],
    }
    assert "D-7" in text(ines, f"{PLACE}?state=nonsense&subject=nonsense")


def test_the_details_are_shown_to_whoever_says_why_and_only_then(cast: Cast) -> None:
    kept = keep(cast.harbour)
    ines = browser_of(cast.ines)
    address = f"{PLACE}{kept.pk}/details/"
    assert "Pat" not in text(ines, f"{PLACE}{kept.pk}/")
    assert "Pat" not in text(ines, address)
    unsaid = ines.post(address).content.decode()
    assert "Choose why you need to see them." in unsaid
    assert "Pat" not in unsaid
    other = ines.post(address, {"purpose": "other"}).content.decode()
    assert "Say what else it is" in other
    assert DetailsAccess.objects.count() == 0
    answer = ines.post(address, {"purpose": "inspect"})
    assert "Pat Example" in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    assert DetailsAccess.objects.get().by == cast.ines
    assert "Inspection" in text(ines, f"{PLACE}{kept.pk}/")
    assert "Ines" in text(ines, f"{PLACE}looks/?purpose=inspect&person={cast.ines.pk}")
    assert "No look fits this search." in text(ines, f"{PLACE}looks/?purpose=pay")


def test_a_record_of_another_casino_and_one_that_never_was_give_the_same_answer(cast: Cast) -> None:
    elsewhere = keep(cast.marina)
    for what in ("", "details/", "hold/"):
        for pk in (elsewhere.pk, 999_999):
            assert browser_of(cast.ines).get(f"{PLACE}{pk}/{what}").status_code == 404
    assert browser_of(cast.ines).post(f"{PLACE}{elsewhere.pk}/details/", {"purpose": "inspect"}).status_code == 404


def test_a_hold_is_signed_off_and_what_was_typed_survives_a_refusal(cast: Cast) -> None:
    kept = keep(cast.harbour)
    ines = browser_of(cast.ines)
    address = f"{PLACE}{kept.pk}/hold/"
    typed = {"until_on": "2030-01-01", "reason": "Court case 7"}
    refused = ines.post(address, typed | sign_off(cast.ines)).content.decode()
    assert "Enter a later day." in refused
    assert "Court case 7" in refused
    assert ines.post(address, typed | {"until_on": "2040-01-01", "password": "wrong"}).status_code == 200
    assert not RetentionHold.objects.exists()
    ines.post(address, typed | {"until_on": "2040-01-01"} | sign_off(cast.ines))
    page = text(ines, f"{PLACE}{kept.pk}/")
    assert "Kept until 1 Jan 2040" in page
    assert "Court case 7" in page


def test_an_authority_officer_destroys_and_sets_the_time_and_nobody_else_is_offered_it(
    cast: Cast, more: Overseers
) -> None:
    kept = keep(cast.harbour)
    aron = browser_of(more.aron)
    assert "Destroy the details" in text(aron, f"{PLACE}{kept.pk}/")
    for person in (more.cleo, cast.ines):
        assert "Destroy the details" not in text(browser_of(person), f"{PLACE}{kept.pk}/")
        assert browser_of(person).post(f"{PLACE}{kept.pk}/destroy/", {"reason": "x"}).status_code == 404
        assert browser_of(person).post(f"{PLACE}retention/dispute/", {"years": "1"}).status_code == 404
    aron.post(f"{PLACE}{kept.pk}/destroy/", {"reason": "Kept by mistake"} | sign_off(more.aron))
    assert Destruction.objects.get().by == more.aron
    assert "Kept by mistake" in text(aron, f"{PLACE}destroyed/")
    gone = aron.post(f"{PLACE}{kept.pk}/details/", {"purpose": "inspect"})
    assert gone.status_code == 410
    aron.post(f"{PLACE}retention/claim/", {"years": "10", "reason": "New act"} | sign_off(more.aron))
    assert RetentionRule.objects.get().years == 10
    assert "New act" in text(browser_of(cast.ines), f"{PLACE}retention/")
    assert aron.get(f"{PLACE}retention/hearsay/").status_code == 404


@pytest.mark.parametrize("count", [1, 10_000])
def test_lists_of_any_length_take_the_same_queries(cast: Cast, more: Overseers, count: int) -> None:
    """Rows inserted directly: ten thousand through the services would take minutes."""
    until = date(2033, 11, 16)
    PersonalRecord.objects.bulk_create(
        PersonalRecord(
            casino=cast.harbour,
            subject="dispute",
            reference=f"D-{number}",
            digest_sha256=f"{number:064x}",
            carried_by="test-matter",
            kept_at=KEPT_AT + timedelta(seconds=number),
            keep_until_on=until,
        )
        for number in range(count)
    )
    ines = browser_of(cast.ines)
    ines.get(PLACE)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = text(ines, f"{PLACE}?sort=-looks_count")
    assert f"1 to {min(count, 50)} of {count:,}" in page or count == 1
    assert len(queries) <= 9
