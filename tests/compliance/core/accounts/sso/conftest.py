from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from pytest_django import Settings

from compliance.core.accounts.models import User
from compliance.core.accounts.services import link_identity
from compliance.core.accounts.sso.metadata import clear_cache
from compliance.core.accounts.sso.providers import find_provider
from compliance.core.accounts.sso.session_state import UnlinkedIdentity
from tests.compliance.core.accounts.people import LONG_AGO, Cast
from tests.compliance.core.accounts.sso_organisation import Organisation, running


@pytest.fixture(scope="session")
def provider_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Organisation]:
    with running(tmp_path_factory.mktemp("provider")) as organisation:
        yield organisation


@pytest.fixture
def organisation(
    provider_process: Organisation, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Organisation:
    """The configured provider, without deviations and with an empty cache."""
    # All tests share one client address; one test has its own limit.
    monkeypatch.setattr("compliance.core.accounts.views.single_sign_on.MAX_PER_MINUTE", 10_000)
    settings.OIDC_PROVIDERS = provider_process.set_up(tmp_path)
    provider_process.says()
    clear_cache()
    return provider_process


@pytest.fixture
def linked(cast: Cast, organisation: Organisation) -> Cast:
    """Ines has linked her account. She is the first of the provider's people."""
    link(cast.ines, subject="1")
    return cast


def link(person: User, subject: str) -> None:
    provider = find_provider("inspectorate")
    assert provider is not None
    found = UnlinkedIdentity("inspectorate", subject, person.email, True, "/", 0)
    link_identity(actor=person, provider=provider, found=found, now=LONG_AGO)


@pytest.fixture
def time_machine_at() -> Callable[..., AbstractContextManager[object]]:
    """Travels to a time after now."""
    return lambda **later: time_machine.travel(datetime.now(UTC) + timedelta(**later))
