"""Every environment variable is listed once, documented in README and help, and refuses bad values with a clear
message.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from compliance.config import environment
from compliance.config.environment import PROJECT, VARIABLES, BadEnvironment
from compliance.config.run.launcher import set_child_environment

SETTINGS = (PROJECT / "compliance/config/settings.py").read_text()


def test_the_readme_lists_every_variable_with_its_default() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$", (PROJECT / "README.md").read_text(), re.MULTILINE)
    listed = {name: (default.strip("`"), purpose) for name, default, purpose in rows}
    assert listed == {name: (variable.default, variable.purpose) for name, variable in VARIABLES.items()}


@pytest.mark.django_db
def test_the_help_page_lists_every_variable(client: Client) -> None:
    page = client.get(reverse("web:help-page", args=["configuration"])).content.decode()
    for variable in VARIABLES.values():
        assert f"<code>{variable.name}</code>" in page


def test_settings_read_the_environment_only_through_the_list() -> None:
    assert "os.environ" not in SETTINGS
    assert "getenv" not in SETTINGS
    read_somewhere = set(re.findall(r'read(?:_int|_flag|_choice)?\("([A-Z_]+)"', SETTINGS))
    assert read_somewhere <= set(VARIABLES)


def test_every_listed_variable_is_used() -> None:
    sources = SETTINGS + (PROJECT / "compliance/config/run/launcher.py").read_text()
    sources += (PROJECT / "compliance/config/Procfile").read_text()
    sources += (PROJECT / "compliance/config/management/commands/backup.py").read_text()
    sources += (PROJECT / "compliance/config/environment.py").read_text().partition("def read(")[2]
    assert [name for name in VARIABLES if not re.search(rf"\b{name}\b", sources)] == []


@pytest.mark.parametrize("text", ["0", "65536", "eighty", "-1", "8000.0", "８０００"])
def test_a_port_that_is_no_port_is_named(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", text)
    with pytest.raises(BadEnvironment, match=f"PORT is {text!r}: expected a whole number from 1 to 65535"):
        environment.read_int("PORT", 1, 65535)
    monkeypatch.setenv("PORT", "65535")
    assert environment.read_int("PORT", 1, 65535) == 65535


@pytest.mark.parametrize("text", ["10.0.0.0/33", "10.1.2.3/8", "example.com", "10.0.0.0/8;fd00::/8", "*"])
def test_networks_that_are_none_are_named(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBHOOK_NETWORKS", text)
    with pytest.raises(BadEnvironment, match=r"WEBHOOK_NETWORKS is .* expected networks such as"):
        environment.read_networks("WEBHOOK_NETWORKS")
    monkeypatch.setenv("WEBHOOK_NETWORKS", "10.20.0.0/16, fd00:17::/32")
    assert [str(one) for one in environment.read_networks("WEBHOOK_NETWORKS")] == ["10.20.0.0/16", "fd00:17::/32"]
    monkeypatch.delenv("WEBHOOK_NETWORKS")
    assert environment.read_networks("WEBHOOK_NETWORKS") == (), "nothing beyond what is public, unless it is said"


@pytest.mark.parametrize("url", ["mysql://a:b@c/d", "postgresql://host/db", "postgresql://u:p@h:port/db", "nonsense"])
def test_a_database_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadEnvironment, match="DATABASE_URL"):
        environment.database_address(url, "DATABASE_URL")


def test_a_database_address_keeps_odd_characters_of_its_password() -> None:
    address = environment.database_address("postgresql://app:p%40ss%2Fword@db.example:6543/fair", "DATABASE_URL")
    assert (address.password, address.host, address.port, address.name) == ("p@ss/word", "db.example", "6543", "fair")


def start_django(**changes: str | None) -> "subprocess.CompletedProcess[str]":
    changed = {**os.environ, **{name: value for name, value in changes.items() if value is not None}}
    for name, value in changes.items():
        if value is None:
            changed.pop(name, None)
    command = [sys.executable, "manage.py", "check"]
    return subprocess.run(command, cwd=PROJECT, env=changed, capture_output=True, text=True, check=False)


def test_with_a_database_of_ones_own_a_secret_key_is_demanded() -> None:
    refused = start_django(SECRET_KEY=None)
    assert refused.returncode != 0
    assert "SECRET_KEY is not set" in refused.stderr
    assert start_django(SECRET_KEY="x" * 60).returncode == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("WEB_WORKERS", "two"),
        ("WORKER_PROCESSES", "0"),
        ("REDIS_URL", "redis.example:6379"),
        ("EMAIL_URL", "smtp://mail.example:port"),
    ],
)
def test_what_cannot_be_used_stops_the_start_by_its_name(name: str, text: str) -> None:
    refused = start_django(**{name: text})
    assert refused.returncode != 0
    assert re.match(rf"{name} (is|must look like) ", refused.stderr), refused.stderr[-300:]


def test_the_demo_is_linked_to_by_its_port_and_production_by_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PORT": "8123", "SITE_NAME": "", "SITE_ADDRESS": ""}.items():
        monkeypatch.setenv(name, value)
    assert environment.site_address(is_demo=True) == "http://localhost:8123"
    monkeypatch.setenv("SITE_NAME", "fairthrow.example")
    assert environment.site_address(is_demo=True) == "http://fairthrow.example:8123"
    assert environment.site_address(is_demo=False) == "https://fairthrow.example"
    monkeypatch.setenv("PORT", "80")
    assert environment.site_address(is_demo=True) == "http://fairthrow.example"
    monkeypatch.setenv("SITE_ADDRESS", "https://casino.example:8443")
    assert environment.site_address(is_demo=True) == "https://casino.example:8443"
    assert environment.site_address(is_demo=False) == "https://casino.example:8443"


@pytest.mark.parametrize("text", ["casino.example", "ftp://casino.example", "https://", "https://casino.example/here"])
def test_an_address_that_is_none_is_named(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_ADDRESS", text)
    with pytest.raises(BadEnvironment, match=r"SITE_ADDRESS is .*: expected an address such as"):
        environment.site_address(is_demo=False)


def test_every_process_knows_the_address_although_each_has_a_port_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "environ", {"PORT": "8123"})
    set_child_environment(tmp_path, {"DEMO": "1"})
    os.environ["PORT"] = "8223"
    assert environment.site_address(is_demo=True) == "http://localhost:8123"
