"""A view without an access rule fails Django's system checks."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path

from compliance.core.web.access import all_url_routes, check_every_view_has_a_rule, public


def open_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("forgotten/", open_view, name="forgotten"), path("marked/", public(lambda request: HttpResponse()))]


@pytest.mark.urls("tests.compliance.core.web.test_access")
def test_a_forgotten_rule_is_named() -> None:
    (message,) = check_every_view_has_a_rule()
    assert message.id == "web.E001"
    assert "/forgotten/" in message.msg


@pytest.mark.urls("tests.compliance.core.web.component_gallery")
def test_every_address_of_the_kit_has_a_rule_and_a_name() -> None:
    assert check_every_view_has_a_rule() == []
    names = {address.name for address in all_url_routes()}
    assert {"web:healthz", "web:readyz", "web:status", "web:help", "web:help-page", "web:stay", "web:mailbox"} <= names
