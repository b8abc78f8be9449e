"""The status page reports whether entries have waited too long for the audit."""

from datetime import timedelta

import pytest
from django.db import transaction

from compliance.audit.health import check_audit_delay
from compliance.audit.run.worker import consume_new_entries
from compliance.core.web import health
from rounds.ledger.writing.append import correct
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import wager

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(("waited", "is_ok"), [(300 * SECOND, True), (301 * SECOND, False)])
def test_what_waits_is_fine_for_five_minutes(house: House, waited: timedelta, is_ok: bool) -> None:
    house.open_table()
    house.audit()
    assert check_audit_delay(NOW).detail == "Everything that was recorded is audited."
    house.play((4, 2, 4), wager("small", 2_500, 5_000))
    consume_new_entries("harbour")
    reading = check_audit_delay(NOW + waited)
    assert reading.is_ok is is_ok
    assert "1 entries of harbour wait to be audited, for 30" in reading.detail


def test_what_was_opened_again_waits_since_the_entry_that_opened_it(house: House) -> None:
    house.open_table()
    wrong = house.play((4, 2, 4), wager("small", 2_500, 5_100))
    house.audit()
    later = NOW + timedelta(days=1)
    with transaction.atomic():
        correct("harbour", wrong, {"reason": "Read wrongly.", "by": {"id": 1, "name": "Sid"}}, later)
    consume_new_entries("harbour")
    reading = check_audit_delay(later + 60 * SECOND)
    assert (reading.is_ok, "audited again, for 60 s" in reading.detail) == (True, True)
    assert not check_audit_delay(later + 301 * SECOND).is_ok


@pytest.mark.django_db
def test_it_is_on_the_status_page_and_takes_nothing_out_of_service() -> None:
    [ours] = [one for one in health.run_checks(NOW) if one.name == "audit"]
    assert (ours.ok, ours.vital) == (True, False)
