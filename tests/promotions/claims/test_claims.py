"""Claims: granted and paid as chosen, or denied with reasons given to the patron; names are stored only above $100."""

import pytest
from django.db import DatabaseError, connection, transaction

from promotions.claims.denials import waiting_time
from promotions.claims.errors import NoReasons, NotDenied, NotMet
from promotions.claims.forms import DenyForm
from promotions.claims.models import Claim, HandoverType, Payment
from promotions.claims.selectors import search_denials, unnotified_denials
from promotions.claims.services import decide_claim, pay_prize, record_claim, record_reasons_told
from promotions.shared.duties import require_duties
from promotions.shared.errors import DecidedAlready
from promotions.terms.content.terms import Prize, Terms
from rounds.ledger.readers.consumer import read_entries
from tests.promotions.crew import DAY, HOUR, NOW, START, Crew, file_example_terms

PAT = {"name": "Pat Example", "address": "12 Quay Street"}


def claimed(crew: Crew, cents: int = 10_001, prize: str = "Hatchback") -> Claim:
    return record_claim(
        promotion=file_example_terms(crew).promotion,
        prize=prize,
        value_cents=cents,
        claimed_at=START,
        details="Ticket 17",
        actor=crew.mara,
        now=START,
    )


def deny(crew: Crew, claim: Claim, **more: object) -> Claim:
    decide_claim(claim=claim, is_met=False, reasons="Closed.", actor=crew.mara, now=START + HOUR, **more)  # type: ignore[arg-type]
    return Claim.objects.with_details().get(pk=claim.pk)


def test_a_claim_is_an_entry_that_a_dispute_can_name(crew: Crew) -> None:
    claim = claimed(crew)
    [entry] = read_entries("harbour", claim.entry_index, claim.entry_index + 1)
    assert (entry.kind, entry.content()["value_cents"]) == ("promotion-claim", 10_001)


def test_a_denial_has_reasons_and_is_made_once(crew: Crew) -> None:
    claim = claimed(crew)
    with pytest.raises(NoReasons):
        decide_claim(claim=claim, is_met=False, reasons="", actor=crew.mara, now=START)
    deny(crew, claim, person=PAT)
    with pytest.raises(DecidedAlready):
        decide_claim(claim=claim, is_met=True, reasons="", actor=crew.mara, now=START)


@pytest.mark.parametrize(("cents", "asked"), [(10_000, False), (10_001, True), (9_999, False)])
def test_name_and_address_are_asked_for_above_a_hundred_dollars(crew: Crew, cents: int, asked: bool) -> None:
    duties = require_duties(crew.harbour, NOW).duties
    terms = Terms({}).with_prizes((Prize(name="Hatchback", type="goods", value_cents=cents),))
    form = DenyForm({"reasons": "Closed."}, claim=claimed(crew, 1), terms=terms, duties=duties)
    assert ("name" in form.fields) is asked
    assert form.is_valid() is not asked
    if asked:
        assert "address" in form.errors
        said = {"reasons": "Closed.", "is_unknown": "on"}
        assert DenyForm(said, claim=claimed(crew, 1), terms=terms, duties=duties).is_valid()
    typed = DenyForm({"reasons": "Closed."}, claim=claimed(crew, cents), terms=Terms({}), duties=duties)
    assert ("name" in typed.fields) is asked


def test_the_details_are_kept_apart_for_seven_years_and_stand_in_no_leaf(crew: Crew) -> None:
    claim = deny(crew, claimed(crew), person=PAT)
    assert claim.record_id is not None
    leaves = b"".join(entry.body for entry in read_entries("harbour", 0, 1000))
    assert b"Pat Example" not in leaves
    assert b"Quay" not in leaves
    record = claim.decision.personal
    assert record is not None
    assert (record.subject, record.keep_until_on.year) == ("claim", 2033)
    assert record.reference == "C-1"


def test_the_time_until_the_patron_is_told_is_measured(crew: Crew) -> None:
    claim = deny(crew, claimed(crew), person=PAT)
    assert [found.pk for found in unnotified_denials(crew.harbour)] == [claim.pk]
    assert waiting_time(claim.decision, START + DAY + HOUR) == DAY
    record_reasons_told(claim=claim, method="mail", told_at=START + 3 * HOUR, actor=crew.mara, now=START + 4 * HOUR)
    told = Claim.objects.with_details().get(pk=claim.pk)
    assert waiting_time(told.decision, START + 30 * DAY) == 2 * HOUR
    assert list(unnotified_denials(crew.harbour)) == []
    with pytest.raises(NotDenied):
        record_reasons_told(claim=claim, method="mail", told_at=START, actor=crew.mara, now=START)


def test_a_prize_is_paid_as_it_was_paid_beside_what_was_chosen(crew: Crew) -> None:
    claim = claimed(crew, 1_500_000, "Cash")
    with pytest.raises(NotMet):
        pay_prize(claim=claim, form=HandoverType.CASH, paid_at=START, actor=crew.mara, now=START)
    decide_claim(claim=claim, is_met=True, reasons="", actor=crew.mara, now=START)
    payment = pay_prize(
        claim=claim,
        form=HandoverType.CASH,
        paid_at=START,
        actor=crew.mara,
        now=START,
        chosen={"cash": 500_000, "electronic-transfer": 1_000_000},
        paid={"cash": 1_500_000},
    )
    [entry] = read_entries("harbour", payment.entry_index, payment.entry_index + 1)
    assert entry.content()["chosen"] == {"cash": 500_000, "electronic-transfer": 1_000_000}
    assert payment.paid_cents == 1_500_000
    with pytest.raises(NotMet):
        pay_prize(claim=claim, form=HandoverType.CASH, paid_at=START, actor=crew.mara, now=START)


def test_the_register_is_searched_by_words_value_and_number(crew: Crew) -> None:
    small, large = claimed(crew, 10_000), claimed(crew, 10_001)
    for claim in (small, large):
        deny(crew, claim)
    assert search_denials(crew.harbour, {}).count() == 2
    assert [found.number for found in search_denials(crew.harbour, {"over_cents": 10_000})] == [large.number]
    assert [found.number for found in search_denials(crew.harbour, {"words": "c-1"})] == [small.number]
    assert search_denials(crew.harbour, {"words": "closed"}).count() == 2
    assert search_denials(crew.harbour, {"words": "Trip"}).count() == 0
    day = START.astimezone(crew.harbour.zone).date()
    assert search_denials(crew.harbour, {"since": day, "until": day}).count() == 2
    assert search_denials(crew.cast.marina, {}).count() == 0


def test_the_database_pays_nothing_that_was_not_met_and_keeps_denials(crew: Crew) -> None:
    claim = deny(crew, claimed(crew))
    with pytest.raises(DatabaseError, match="was not met"), transaction.atomic():
        Payment.objects.create(
            claim=claim, form=HandoverType.CASH, paid_at=START, by=crew.mara, at=START, log="harbour", entry_index=10**6
        )
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        connection.cursor().execute("DELETE FROM claims_claimdecision")
