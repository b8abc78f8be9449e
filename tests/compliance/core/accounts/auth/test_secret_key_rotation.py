"""Rotation of SECRET_KEY: sessions survive while the former key is in SECRET_KEY_FALLBACKS."""

from typing import Any

from django.conf import settings as project
from django.test import Client

from tests.compliance.core.accounts.people import Cast, browser_of


def test_a_session_outlives_the_key_that_signed_it(cast: Cast, settings: Any) -> None:
    browser: Client = browser_of(cast.ada)
    former = project.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new one, which nobody knows yet", [former]
    assert browser.get("/account/").status_code == 200
    settings.SECRET_KEY_FALLBACKS = []
    assert browser.get("/account/").status_code == 200, "seen once under the new key, it needs the former no longer"


def test_a_stolen_key_that_is_left_out_signs_everybody_out(cast: Cast, settings: Any) -> None:
    browser: Client = browser_of(cast.ada)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the new one, which nobody knows yet", []
    assert browser.get("/account/").headers["Location"].startswith("/sign-in/")
