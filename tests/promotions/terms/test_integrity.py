"""A promotion whose integrity is in doubt is postponed until validated, and the inspectorate is alerted (10.12,
N48)."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client

from compliance.core.accounts.roles import Role
from compliance.notify.alerts.models import Alert
from promotions.shared.errors import PromotionStateChanged, RoleRequired
from promotions.terms.models import INTEGRITY_TRANSITIONS, Integrity, Promotion, PromotionAct, PromotionStep
from promotions.terms.selectors import promotions_without_reference
from promotions.terms.services import postpone_promotion, record_material, validate_promotion
from rounds.ledger.readers.consumer import read_entries
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.core.web.confirming import post_anyway
from tests.promotions.crew import DAY, HOUR, START, Crew, file_example_terms

DOUBT = START + DAY


def postponed(crew: Crew, promotion: Promotion, **more: Any) -> PromotionStep:
    said = {"determined_at": DOUBT, "reason": "Entries were sold.", "actor": crew.mara, "now": DOUBT + HOUR, **more}
    return postpone_promotion(promotion=promotion, **said)


def test_the_inspectorate_is_told_as_it_is_postponed_and_it_goes_on_when_validated(crew: Crew) -> None:
    promotion = file_example_terms(crew).promotion
    step = postponed(crew, promotion)
    [entry] = read_entries("harbour", step.entry_index, step.entry_index + 1)
    assert (entry.kind, entry.content()["statement"]) == ("promotion-postponed", "Entries were sold.")
    alert = Alert.objects.get()
    assert (alert.to, alert.clause, alert.fact_at, alert.is_immediate) == ([Role.INSPECTOR], "10.12", DOUBT, True)
    assert alert.statement == "P-1 was postponed: its integrity is in doubt."
    went_on = validate_promotion(promotion=promotion, how="Counted again.", actor=crew.cleo, now=DOUBT + DAY)
    [entry] = read_entries("harbour", went_on.entry_index, went_on.entry_index + 1)
    assert (entry.kind, entry.content()["after"]) == ("promotion-validated", "sound")
    assert Alert.objects.count() == 1


def test_it_is_neither_postponed_twice_nor_validated_unasked_nor_by_others(crew: Crew) -> None:
    promotion = file_example_terms(crew).promotion
    with pytest.raises(PromotionStateChanged):
        validate_promotion(promotion=promotion, how="Counted.", actor=crew.mara, now=DOUBT)
    with pytest.raises(RoleRequired):
        postponed(crew, promotion, actor=crew.cast.ines)
    postponed(crew, promotion)
    with pytest.raises(PromotionStateChanged):
        postponed(crew, promotion)
    assert Alert.objects.count() == 1


def test_the_database_knows_the_same_table_and_keeps_what_was_written(crew: Crew) -> None:
    promotion = file_example_terms(crew).promotion
    for number, (state, act) in enumerate((state, act) for state in Integrity for act in PromotionAct):
        if (state, act) in INTEGRITY_TRANSITIONS and state is Integrity.SOUND:
            continue
        with pytest.raises(DatabaseError, match="cannot be"), transaction.atomic():
            PromotionStep.objects.create(
                promotion=promotion,
                step=1,
                act=act,
                before=state,
                after=Integrity.SOUND,
                happened_at=DOUBT,
                statement="x",
                by=crew.mara,
                recorded_at=DOUBT,
                log="harbour",
                entry_index=10**6 + number,
            )
    postponed(crew, promotion)
    with pytest.raises(DatabaseError, match=r"permission denied|kept as it was"), transaction.atomic():
        connection.cursor().execute("UPDATE terms_promotionstep SET statement = 'Nothing.'")


def test_the_pages_say_that_it_is_postponed_and_lead_on(crew: Crew) -> None:
    promotion = file_example_terms(crew).promotion
    browser = browser_of(crew.mara)
    place = "/casinos/harbour/promotions/1/"
    wrong = browser.post(f"{place}postpone/", {"determined_at": "2999-01-01T00:00", "reason": "Entries were sold."})
    assert "That is still to come." in wrong.content.decode()
    assert "Entries were sold." in wrong.content.decode()
    sent = post_anyway(browser, f"{place}postpone/", {"determined_at": "2026-06-02T12:00", "reason": "Sold."})
    assert "This promotion is postponed" in sent.content.decode()
    assert "This promotion is postponed." in Client().get("/promotions/harbour/1/1/").content.decode()
    assert "Sold." not in Client().get("/promotions/harbour/1/1/").content.decode()
    assert "Postponed" in browser.get("/casinos/harbour/promotions/all/").content.decode()
    browser.post(f"{place}validate/", {"how": "Counted again."})
    assert "This promotion is postponed" not in browser.get(place).content.decode()
    assert [step.after for step in promotion.stops.all()] == ["postponed", "sound"]


def test_a_promotion_that_runs_unreferenced_stands_on_the_board_until_some_material_refers_to_it(crew: Crew) -> None:
    """10.6: not a finding, because the material is unknown; only a to-do item."""
    promotion = file_example_terms(crew).promotion
    assert list(promotions_without_reference(crew.harbour, START - HOUR)) == []
    assert [version.promotion for version in promotions_without_reference(crew.harbour, START)] == [promotion]
    said: dict[str, Any] = {
        "promotion": promotion,
        "medium": "poster",
        "used_from_on": START.date(),
        "actor": crew.mara,
        "now": START,
    }
    record_material(**said, description="Without", is_referring=False, where="")
    assert promotions_without_reference(crew.harbour, START).count() == 1
    record_material(**said, description="With", is_referring=True, where="At the foot")
    assert list(promotions_without_reference(crew.harbour, START)) == []
    assert list(promotions_without_reference(crew.harbour, START + 14 * DAY)) == []
