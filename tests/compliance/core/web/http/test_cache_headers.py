"""No response may be stored, unless its view says otherwise."""

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from compliance.core.web.http.cache_headers import NeverCacheMiddleware
from tests.compliance.core.accounts.people import assemble, browser_of


def answer(**headers: str) -> str:
    middleware = NeverCacheMiddleware(lambda request: HttpResponse("", headers=headers))
    return str(middleware(RequestFactory().get("/")).headers["Cache-Control"])


def test_what_a_view_says_itself_stays() -> None:
    assert "no-store" in answer()
    assert answer(**{"Cache-Control": "public, max-age=60"}) == "public, max-age=60"


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/", "/casinos/harbour/", "/casinos/harbour/people/", "/help/", "/nowhere/"])
def test_no_page_is_stored(page: str) -> None:
    for browser in (browser_of(assemble().ines), Client()):
        assert "no-store" in browser.get(page).headers["Cache-Control"]
