"""A finding of the audit, and its end, as webhook messages."""

import json

from django.db import transaction

from compliance.audit.models import Finding
from compliance.notify.webhooks.consumer import consume_events
from compliance.notify.webhooks.models import Delivery
from compliance.notify.webhooks.services import register_endpoint
from rounds.ledger.writing.append import correct
from tests.compliance.core.accounts.people import browser_of
from tests.compliance.inspection.reviews.conftest import crew, house, office, quick_passwords
from tests.compliance.inspection.reviews.scenario import ReviewScenario

__all__ = ["crew", "house", "office", "quick_passwords"]


def test_a_finding_is_told_when_it_is_recorded_and_when_it_no_longer_stands(office: ReviewScenario) -> None:
    register_endpoint(
        casino=office.casino,
        name="Register",
        address="https://hooks.example.com/",
        events=["finding.recorded", "finding.superseded"],
        actor=office.cora,
        now=office.now,
    )
    [review] = office.overpay()
    with transaction.atomic():
        by = {"id": office.sid.pk, "name": "Sid"}
        correct("harbour", review.finding.subject_index, {"reason": "Read wrongly.", "by": by}, office.now)
    office.audit()
    consume_events(lambda: office.now)

    finding = Finding.objects.get(pk=review.finding.pk)
    first, second = (json.loads(each.body) for each in Delivery.objects.order_by("entry_index"))
    page = f"/casinos/harbour/findings/{finding.entry_index}/"
    assert (first["type"], first["code"], first["table"]) == ("finding.recorded", "SETTLE-OVERPAID", "sb-1")
    assert (first["index"], first["sentence"]) == (finding.entry_index, finding.sentence)
    assert (second["type"], second["code"]) == ("finding.superseded", "SETTLE-OVERPAID")
    assert (second["index"], second["about"]) == (finding.superseded_index, finding.entry_index)
    assert second["sentence"] is None
    assert "Sid" not in json.dumps([first, second])
    assert first["page"].endswith(page)
    assert second["page"].endswith(page)
    assert browser_of(office.ines).get(page).status_code == 200
