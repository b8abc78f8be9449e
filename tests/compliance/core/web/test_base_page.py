"""Base page: skip link, name, menu, local time, session end, and a strict content security policy."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings as project
from django.test import Client

from tests.compliance.core.web.conftest import Elements
from tests.compliance.core.web.people import mo, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.compliance.core.web.component_gallery")]

EVENING = datetime(2026, 11, 16, 10, 22, 5, tzinfo=UTC)
TEMPLATES = sorted(Path(project.BASE_DIR, "templates").rglob("*.html"))


def test_a_visitor_gets_the_frame_without_a_session(visit: Callable[..., Elements]) -> None:
    page = visit("/components/")
    assert [attrs["lang"] for attrs, _ in page.all("html")] == ["en-AU"]
    ((skip, words),) = page.all("a", class_="skip-link")
    assert [skip["href"], words] == ["#main", "Skip to main content"]
    assert [attrs["id"] for attrs, _ in page.all("main")] == ["main"]
    assert page.texts("a", class_="site-name") == ["Fairthrow"]
    assert page.all("dialog") == []
    assert "data-session-seconds" not in page.all("body")[0][0]


def test_an_anonymous_page_sets_no_cookie(client: Client) -> None:
    client.get("/components/")
    assert dict(client.cookies) == {}


def test_a_person_reads_local_time_and_until_when_they_are_signed_in(client: Client) -> None:
    with time_machine.travel(EVENING, tick=False):
        page = Elements(signed_in(client, mo()).get("/members/").content.decode())
    (footer,) = page.texts("footer")
    assert "16 Nov 2026, 9:22 pm AEDT" in footer
    assert "Mo, signed in until 16 Nov 2026, 9:52 pm AEDT if you do nothing more" in footer
    ((body, _),) = page.all("body")
    assert [body["data-session-seconds"], body["data-session-warn"]] == ["1800", "120"]
    assert body["data-session-extend"] == "/session/stay/"


def test_staying_signed_in_starts_the_idle_time_again(client: Client) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        signed_in(client, mo()).get("/members/")
        clock.shift(timedelta(minutes=29))
        answer = client.post("/session/stay/", headers={"Accept": "application/json"})
        assert answer.json() == {"seconds": 1800}
        clock.shift(timedelta(minutes=29))
        assert client.get("/members/").status_code == 200


def test_without_javascript_staying_leads_back_to_the_home_page(client: Client) -> None:
    answer = signed_in(client, mo()).post("/session/stay/", headers={"Accept": "text/html"})
    assert [answer.status_code, answer["Location"]] == [302, "/"]
    assert client.get("/session/stay/").status_code == 405


def test_the_demo_says_that_it_is_one(visit: Callable[..., Elements], settings: Any) -> None:
    assert "Nothing here is real." in visit("/components/").texts("aside")[0]
    settings.DEMO = False
    settings.SECURE_SSL_REDIRECT = False
    assert visit("/components/").all("aside") == []


def test_every_component_is_well_formed_and_every_id_is_unique(visit: Callable[..., Elements]) -> None:
    page = visit("/components/?verdict=win")
    ids = [attrs["id"] for _, attrs, _ in page.found if "id" in attrs]
    assert sorted(ids) == sorted(set(ids))


def test_the_policy_allows_nothing_inline_and_pages_hold_nothing_inline(client: Client) -> None:
    response = client.get("/components/")
    policy = response["Content-Security-Policy"]
    assert "unsafe" not in policy
    page = Elements(response.content.decode())
    assert page.all("style") == []
    assert all(attrs.get("src") and words == "" for attrs, words in page.all("script"))
    assert [name for _, attrs, _ in page.found for name in attrs if name == "style" or name.startswith("on")] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_no_template_brings_inline_script_or_style(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", text, re.IGNORECASE)


def test_htmx_is_ours_and_may_neither_add_styles_nor_run_texts(client: Client) -> None:
    page = Elements(client.get("/components/").content.decode())
    assert any("django_htmx/htmx-2.min" in attrs["src"] for attrs, _ in page.all("script"))
    ((meta, _),) = page.all("meta", name="htmx-config")
    assert '"includeIndicatorStyles":false' in meta["content"]
    assert '"allowEval":false' in meta["content"]
    assert '"historyCacheSize":0' in meta["content"]
