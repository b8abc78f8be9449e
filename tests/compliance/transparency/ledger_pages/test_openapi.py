"""Requests to the public logs, generated from the OpenAPI document, get only documented responses."""

from typing import Any

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as chosen_by
from pytest_django.live_server_helper import LiveServer

from compliance.core.web.http import rate_limit
from rounds.ledger.signing.checkpoints import sign_log
from tests.compliance.transparency.ledger_pages.harbour_scenario import OPENED_AT, Floor, play
from tests.drills.support.full_length import count_in_tally, repetitions, seed
from tests.rounds.intake.api.test_openapi import CHECKS

TAG = "logs"


def test_no_request_meets_a_server_error_or_an_undocumented_answer(
    committed_floor: Floor, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(20)
    sign_log("harbour", OPENED_AT)
    monkeypatch.setattr(rate_limit, "MAX_PER_MINUTE", 10**6)
    schema = schemathesis.openapi.from_url(f"{live_server.url}/api/v1/openapi.yaml")
    seen: set[tuple[str, int]] = set()

    @chosen_by(seed())
    @given(case=schema.include(tag=TAG).as_strategy())
    @settings(
        max_examples=repetitions(60, full=1000),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def probe(case: Any) -> None:
        # Otherwise every generated URL names an unknown log and tests nothing further.
        case.path_parameters = {**case.path_parameters, "log": "harbour"}
        for name in ("index", "from", "size", "to"):
            if isinstance((case.query or {}).get(name), int):
                case.query = {**case.query, name: case.query[name] % 24}
        response = case.call()
        count_in_tally("requests to the API")
        count_in_tally("requests to the API: answers of 500 and above", response.status_code >= 500)
        seen.add((case.method, response.status_code))
        case.validate_response(response, checks=CHECKS)

    probe()
    assert {("GET", 200), ("GET", 422), ("POST", 403), ("POST", 404)} <= seen


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("proof/inclusion", "GET, HEAD"),
        ("proof/consistency", "GET, HEAD"),
        ("checkpoints/1/cosignatures", "POST"),
        ("disagreements", "POST"),
    ],
)
def test_other_methods_are_refused_with_those_that_are_taken(client: Client, db: None, path: str, allowed: str) -> None:
    for method in ("get", "post", "put", "patch", "delete", "options"):
        if method.upper() not in allowed:
            answer = getattr(client, method)(f"/api/v1/logs/harbour/{path}")
            assert (answer.status_code, answer.json()["code"]) == (405, "wrong-method")
            assert answer.headers["Allow"] == allowed
