"""Client of the API, as a system of the inspectorate with a token."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from compliance.api.models import Scope
from compliance.api.tokens.services import make_token
from compliance.core.accounts.models import User
from tests.compliance.inspection.reviews.scenario import ReviewScenario

EVERYTHING = tuple(Scope.values)
HARBOUR = "/api/v1/casinos/harbour"


class ApiClient:
    def __init__(
        self, office: ReviewScenario, *scopes: str, by: User | None = None, days: int = 30, ago: int = 0
    ) -> None:
        made = make_token(
            name="Case system",
            casinos=[office.casino],
            scopes=scopes or EVERYTHING,
            days=days,
            actor=by or office.ines,
            now=timezone.now() - timedelta(days=ago),
        )
        self.token, self.secret = made.token, made.secret
        self.browser = Client()

    def get(self, path: str, **asked: Any) -> Any:
        address = path if path.startswith("/") else f"{HARBOUR}/{path}"
        return self.browser.get(address, asked, headers={"Authorization": f"Bearer {self.secret}"})

    def read(self, path: str, **asked: Any) -> dict[str, Any]:
        response = self.get(path, **asked)
        assert response.status_code == 200, response.content
        answer: dict[str, Any] = response.json()
        return answer

    def refused(self, path: str, **asked: Any) -> tuple[int, str]:
        response = self.get(path, **asked)
        assert response.headers["Content-Type"] == "application/problem+json"
        return response.status_code, response.json()["code"]
