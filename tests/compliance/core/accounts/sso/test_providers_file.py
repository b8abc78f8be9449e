"""The providers file: mistakes are reported when the service starts."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from pytest_django import Settings

from compliance.core.accounts.sso.providers import read_providers
from tests.compliance.core.accounts.people import Cast
from tests.compliance.core.accounts.sso_organisation import Organisation

RIGHT = """
[nsw]
name = "the Inspectorate"
issuer = "https://login.example/realms/staff"
client_id = "fairthrow"
client_secret_file = "secret"
casinos = ["harbour"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("quite secret\n")
    (tmp_path / "empty").write_text("\n")
    return tmp_path


def read(folder: Path, text: str) -> str:
    file = folder / "providers.toml"
    file.write_text(text)
    read_providers.cache_clear()
    return repr(read_providers(file))


def test_a_provider_answers_for_inspectors_unless_the_file_says_otherwise(folder: Path) -> None:
    text = read(folder, RIGHT)
    assert "quite secret" not in text
    [provider] = read_providers(folder / "providers.toml")
    assert (provider.client_secret, provider.hosts) == ("quite secret", frozenset({"login.example"}))
    assert provider.roles == {"inspector", "authority-officer", "government-administrator"}
    assert (provider.is_required, provider.max_age_seconds) == (False, 0)


@pytest.mark.parametrize(
    ("was", "now", "complaint"),
    [
        ("https://login", "http://login", "issuer must be"),
        ("/staff", "/staff?x=1", "issuer must be"),
        ('client_id = "fairthrow"', "", "client_id"),
        ('["harbour"]', "[]", "at least one casino"),
        ('"secret"', '"empty"', "is empty"),
        ('"secret"', '"absent"', "No such file"),
        ("[nsw]", "[NSW]", "small letters"),
        ("[nsw]", "[nsw]\nrequierd = true", "requierd"),
        ("[nsw]", '[nsw]\nroles = ["king"]', "roles are of"),
        ("[nsw]", '[nsw]\nhosts = ["https://keys.example"]', "hosts are names"),
        ("[nsw]", '[nsw]\nca_file = "absent"', "ca_file .*absent holds no certificate"),
        ("[nsw]", '[nsw]\nca_file = "secret"', "ca_file .*secret holds no certificate"),
        ("[nsw]", "[nsw", "Expected"),
        ("[nsw]", RIGHT.replace("nsw", "vic") + "[nsw]", "same issuer"),
    ],
)
def test_a_mistake_is_named(folder: Path, was: str, now: str, complaint: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=complaint):
        read(folder, RIGHT.replace(was, now, 1))


def test_the_command_asks_each_provider_and_says_what_it_found(
    cast: Cast, organisation: Organisation, settings: Settings, tmp_path: Path
) -> None:
    said = StringIO()
    call_command("check_providers", stdout=said)
    assert f"signing in at {organisation.issuer}/authorize/, keys: 1" in said.getvalue()
    settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, casinos=["harbour", "nowhere"])
    with pytest.raises(CommandError, match="Not as it should be: inspectorate"):
        call_command("check_providers", stdout=said)
    assert "no such casino: nowhere" in said.getvalue()
    settings.OIDC_PROVIDERS = organisation.set_up(tmp_path, issuer="https://localhost:1/o")
    with pytest.raises(CommandError, match="Not as it should be"):
        call_command("check_providers", stdout=said)
    settings.OIDC_PROVIDERS = None
    with pytest.raises(CommandError, match="OIDC_PROVIDERS is not set"):
        call_command("check_providers", stdout=said)
