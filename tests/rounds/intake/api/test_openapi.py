"""The OpenAPI document equals the committed one, and generated requests get only documented responses."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import yaml
from django.core.management import call_command
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as chosen_by
from pytest_django.live_server_helper import LiveServer

from compliance.config.environment import PROJECT
from compliance.core.web.access import all_url_routes
from rounds.intake.protocol.envelope import LINE_KINDS, LINE_TYPES
from tests.drills.support.full_length import count_in_tally, repetitions, seed
from tests.rounds.floor.crew import Crew
from tests.rounds.intake.controller_client import ADDRESS, Feeder, feeder_at

# No 5xx, no undocumented status, type, header or body. Whether a refusal is correct is tested elsewhere: the document
# cannot express what a signature covers.
CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_headers_conformance,
    schemathesis.checks.response_schema_conformance,
]
COMMITTED = PROJECT / "rounds" / "intake" / "openapi.yaml"


def test_the_committed_document_is_the_one_the_code_makes() -> None:
    made = StringIO()
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=made)
    assert made.getvalue() == COMMITTED.read_text(), (
        f"Run: manage.py spectacular --file {COMMITTED.relative_to(PROJECT)}"
    )


def test_every_address_under_api_is_documented() -> None:
    documented = set(yaml.safe_load(COMMITTED.read_text())["paths"])
    routed = {"/" + re.sub(r"<(?:[a-z]+:)?([a-z_0-9]+)>", r"{\1}", each.route) for each in all_url_routes()}
    itself = {"/api/v1/openapi.yaml", "/api/v1/"}
    assert {each for each in routed if each.startswith("/api/")} - itself == documented


def test_every_kind_is_documented_with_an_example() -> None:
    document = yaml.safe_load(COMMITTED.read_text())
    mapping = document["components"]["schemas"]["Line"]["discriminator"]["mapping"]
    assert set(mapping) == {kind.name for kind in LINE_KINDS}
    content = document["paths"][ADDRESS]["post"]["requestBody"]["content"]["application/x-ndjson"]
    assert {example["value"][0]["kind"] for example in content["examples"].values()} == set(LINE_TYPES)


def test_the_document_and_its_reader_are_served_under_the_strict_policy(client: Client, db: None) -> None:
    served = client.get("/api/v1/openapi.yaml")
    assert yaml.safe_load(served.content) == yaml.safe_load(COMMITTED.read_text())
    page = client.get("/api/v1/").content.decode()
    assert "swagger-ui-bundle" in page
    assert "<style" not in page
    assert "<script>" not in page


def as_ndjson(value: Any) -> bytes:
    lines = value if isinstance(value, list) else [value]
    return b"\n".join(json.dumps(line, default=str).encode() for line in lines)


@schemathesis.serializer("application/x-ndjson")
def write_ndjson(ctx: Any, value: Any) -> bytes:
    return as_ndjson(value)


def at_an_own_table(body: Any) -> Any:
    """Sets the table of each line to one of this controller; otherwise every line would be refused for its table."""
    if not isinstance(body, list):
        return body
    return [{**line, "table": "sb-1"} if isinstance(line, dict) and "table" in line else line for line in body]


@pytest.fixture
def feeder(crew: Crew) -> Feeder:
    return feeder_at(crew, "sb-1", "sb-03")


@pytest.mark.parametrize("is_signed", [True, False], ids=["signed", "as it comes"])
def test_no_request_meets_a_server_error_or_an_undocumented_answer(
    feeder: Feeder, live_server: LiveServer, tmp_path: Path, is_signed: bool
) -> None:
    schema = schemathesis.openapi.from_url(f"{live_server.url}/api/v1/openapi.yaml")
    seen: set[int] = set()

    @chosen_by(seed())
    @given(case=schema[ADDRESS]["POST"].as_strategy())
    @settings(
        max_examples=repetitions(20, full=500),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def probe(case: Any) -> None:
        if is_signed:
            case.body = at_an_own_table(case.body)
            lines = as_ndjson(case.body).split(b"\n")
            case.headers = {**(case.headers or {}), **feeder.headers(lines)}
        response = case.call()
        count_in_tally("requests to the API")
        count_in_tally("requests to the API: answers of 500 and above", response.status_code >= 500)
        seen.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    probe()
    assert seen >= ({200, 422} if is_signed else {401})
