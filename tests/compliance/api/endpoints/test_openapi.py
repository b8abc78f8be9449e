"""No request described or forbidden by the OpenAPI document causes a server error or an undocumented response."""

from typing import Any

import pytest
import schemathesis
import yaml
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as chosen_by
from pytest_django.live_server_helper import LiveServer

from compliance.api.endpoints import authentication
from rounds.ledger.signing.checkpoints import sign_log
from tests.compliance.api.api_client import ApiClient
from tests.compliance.inspection.reviews.scenario import ReviewScenario
from tests.compliance.reports.report_builder import make_report
from tests.drills.support.full_length import count_in_tally, repetitions, seed
from tests.rounds.intake.api.test_openapi import CHECKS

TAG = "inspectorates"


def test_every_address_is_in_the_document_with_its_token(db: None) -> None:
    served = Client().get("/api/v1/openapi.yaml")
    paths = yaml.safe_load(served.content)["paths"]
    ours = [one["get"] for path, one in paths.items() if path.startswith("/api/v1/casinos/")]
    assert len(ours) == 10
    # Every path of the document is tested here, by the tests of intake or by those of the public logs.
    tags = {tuple(operation["tags"]) for path in paths.values() for operation in path.values()}
    assert tags == {(TAG,), ("controllers",), ("logs",)}
    assert all((one["tags"], one["security"]) == ([TAG], [{"token": []}]) for one in ours)


@pytest.mark.parametrize("has_token", [True, False], ids=["with a token", "without one"])
def test_no_request_meets_a_server_error_or_an_undocumented_answer(
    committed_office: ReviewScenario, live_server: LiveServer, has_token: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = committed_office
    office.overpay(2)
    sign_log("harbour", office.now)
    report = make_report(office, "certificate")
    for name in ("MAX_REQUESTS_PER_MINUTE", "MAX_UNKNOWN_TOKENS_PER_MINUTE"):
        monkeypatch.setattr(authentication, name, 10**6)
    secret = ApiClient(office).secret
    schema = schemathesis.openapi.from_url(f"{live_server.url}/api/v1/openapi.yaml")
    seen: set[int] = set()

    @chosen_by(seed())
    @given(case=schema.include(tag=TAG).as_strategy())
    @settings(
        max_examples=repetitions(30, full=1000) if has_token else repetitions(10, full=100),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def probe(case: Any) -> None:
        # Otherwise every generated URL names an unknown casino and tests nothing further.
        case.path_parameters = {**case.path_parameters, "casino": "harbour"}
        if "report" in case.path_parameters:
            case.path_parameters["report"] = report.pk
        case.headers = {"Authorization": f"Bearer {secret}"} if has_token else {}
        response = case.call()
        count_in_tally("requests to the API")
        count_in_tally("requests to the API: answers of 500 and above", response.status_code >= 500)
        seen.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    probe()
    assert seen >= ({200, 400, 404} if has_token else {401})
