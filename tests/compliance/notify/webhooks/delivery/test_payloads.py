"""Payload of each event: small, canonical, without names or patrons."""

import json
from typing import Any

from django.test import Client

from compliance.notify.webhooks.consumer import consume_events
from compliance.notify.webhooks.delivery.payloads import event_by_kind
from compliance.notify.webhooks.models import Delivery
from compliance.notify.webhooks.services import register_endpoint
from compliance.notify.webhooks.states import SUBSCRIBABLE_EVENTS
from promotions.terms.services import decide_amendment, request_amendment
from rounds.transparency_log.formats.leaf import encode_body
from tests.compliance.core.accounts.people import browser_of
from tests.promotions.conftest import crew
from tests.promotions.crew import DAY, NOW, START, Crew, answers, file_example_terms, make_draft

__all__ = ["crew"]

MEMBERS = {"type", "id", "casino", "log", "index", "about", "code", "table", "sentence", "at", "page"}
EVERYTHING = [event.value for event in SUBSCRIBABLE_EVENTS]
ADDRESS = "https://hooks.example.com/"


def every_message() -> list[dict[str, Any]]:
    consume_events(lambda: NOW)
    bodies = list(Delivery.objects.order_by("entry_index").values_list("body", flat=True))
    for body in bodies:
        assert body.encode() == encode_body(json.loads(body)), "in the ledger's canonical form"
        assert len(body) < 1_000
        assert json.loads(body).keys() == MEMBERS
    return [json.loads(body) for body in bodies]


def test_terms_filed_and_decided(crew: Crew) -> None:
    register_endpoint(
        casino=crew.harbour, name="Register", address=ADDRESS, events=EVERYTHING, actor=crew.cleo, now=NOW
    )
    first = file_example_terms(crew)
    later = START + DAY
    draft = make_draft(crew, answers(eligibility={"text": "Gold members."}), promotion=first.promotion, now=later)
    second = request_amendment(draft=draft, reason="Too many entries", actor=crew.mara, now=later)
    decide_amendment(version=second, is_approved=False, reasons="Unfair to Bob", actor=crew.aron, now=later)
    told = [one for one in every_message() if one["type"].startswith("terms.")]
    assert [(one["type"], one["code"]) for one in told] == [
        ("terms.filed", "filing"),
        ("terms.filed", "amendment"),
        ("terms.decided", "refused"),
    ]
    assert [one["page"].partition("/promotions/")[2] for one in told] == [
        "1/versions/1/",
        "1/versions/2/",
        "1/versions/2/",
    ]
    for word in ("Mara", "Aron", "Unfair", "Hatchback", "Too many"):
        assert word not in json.dumps(told)
    path = "/casinos/" + told[0]["page"].partition("/casinos/")[2]
    assert browser_of(crew.aron).get(path).status_code == 200


def test_every_event_has_its_kind_of_entry() -> None:
    assert set(event_by_kind().values()) == set(SUBSCRIBABLE_EVENTS)


def test_the_example_on_the_help_page_has_every_member(client: Client, db: None) -> None:
    page = client.get("/help/webhooks/").content.decode()
    example = page.partition('id="message">')[2].partition("</code>")[0].replace("&quot;", '"')
    assert json.loads(example).keys() == MEMBERS
    for event in SUBSCRIBABLE_EVENTS:
        assert f"<code>{event.value}</code>" in page
    for member in MEMBERS:
        assert f"<code>{member}</code>" in page
