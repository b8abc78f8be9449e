"""The first casino of an installation and its first administrator, from the command line."""

import io
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from compliance.core.accounts.models import Casino, User
from compliance.core.web.pdf.signer import load_report_key
from compliance.notify.webhooks.models import Endpoint
from compliance.reports.models import Certificate
from rounds.ledger.storage import every_log

pytestmark = pytest.mark.django_db
HARBOUR: dict[str, Any] = {
    "slug": "harbour",
    "name": "Harbour Casino",
    "time_zone": "Australia/Sydney",
    "administrator": "first@harbour.example",
    "government_administrators": ["gail@inspectorate.example", "glen@inspectorate.example"],
}


def bootstrap(**changes: str) -> str:
    out = io.StringIO()
    call_command("bootstrap", **{**HARBOUR, **changes}, stdout=out)
    return out.getvalue()


def test_the_first_casino_brings_both_keys_and_no_later_one_does(settings: Settings, tmp_path: Path) -> None:
    settings.LEDGER_KEY_FILE, settings.REPORT_KEY_FILE = tmp_path / "ledger.key", tmp_path / "report.pem"
    bootstrap()
    for key in (settings.LEDGER_KEY_FILE, settings.REPORT_KEY_FILE):
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
    first = Certificate.objects.filter(reason="The first start.").values_list("log", "certificate_sha256")
    assert dict(first) == dict.fromkeys(every_log(), load_report_key().sha256)
    for key in (settings.LEDGER_KEY_FILE, settings.REPORT_KEY_FILE):
        key.unlink()
    bootstrap(slug="marina", administrator="first@marina.example")
    for key in (settings.LEDGER_KEY_FILE, settings.REPORT_KEY_FILE):
        assert not key.exists()


def test_the_webhooks_key_is_made_until_somebody_may_have_been_given_its_public_half(
    settings: Settings, tmp_path: Path
) -> None:
    settings.LEDGER_KEY_FILE, settings.WEBHOOK_KEY_FILE = tmp_path / "ledger.key", tmp_path / "webhook.key"
    bootstrap()
    assert stat.S_IMODE(settings.WEBHOOK_KEY_FILE.stat().st_mode) == 0o600
    made = settings.WEBHOOK_KEY_FILE.read_text()
    assert made != settings.LEDGER_KEY_FILE.read_text()
    bootstrap(slug="marina", administrator="first@marina.example")
    assert settings.WEBHOOK_KEY_FILE.read_text() == made
    settings.WEBHOOK_KEY_FILE.unlink()
    Endpoint.objects.create(casino=Casino.objects.get(slug="marina"), name="X", address="https://x.example/", events=[])
    bootstrap(slug="lagoon", administrator="first@lagoon.example")
    assert not settings.WEBHOOK_KEY_FILE.exists()


def test_the_printed_links_let_the_first_administrators_in(client: Client) -> None:
    printed = bootstrap()
    for person in (HARBOUR["administrator"], *HARBOUR["government_administrators"]):
        assert f"{person}: http" in printed
    link = re.findall(r"https?://\S+", printed)[0]
    assert Casino.objects.get().zone.key == "Australia/Sydney"
    page = client.get(re.sub(r"^https?://[^/]+", "", link))
    assert page.status_code == 200
    assert "Harbour Casino" in page.content.decode()
    assert not User.objects.exists()
    assert every_log() == ["harbour", "site"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time_zone": "Sydney"}, "Sydney is not a time zone"),
        ({"administrator": "nobody"}, "e-?mail address"),
        ({"slug": "Har bour"}, "slug"),
        ({"slug": "Harbour"}, "Harbour cannot name a log"),
        ({"slug": "site"}, "site cannot name a log"),
    ],
)
def test_nonsense_is_named_and_nothing_is_made(changes: dict[str, str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        bootstrap(**changes)
    assert not Casino.objects.exists()


def test_the_demo_is_not_loaded_outside_demo_mode(settings: Settings) -> None:
    settings.DEMO = False
    with pytest.raises(CommandError, match="This is not a demo"):
        call_command("demo")
    assert not User.objects.exists()
    settings.DEMO = True
    call_command("demo")
    call_command("demo")
    assert User.objects.count() == 9
