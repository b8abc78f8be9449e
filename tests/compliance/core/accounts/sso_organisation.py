"""The inspectorate whose provider runs during the tests, and a browser that goes there and back."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from django.test import Client

from compliance.config.environment import PROJECT
from compliance.config.run.child_processes import dies_with_parent
from tests.compliance.core.accounts.oidc_provider import CLIENT, PASSWORD, SECRET

BEGIN, BACK = "/sign-in/by/inspectorate/", "/sign-in/by/inspectorate/back/"


@dataclass(frozen=True)
class Organisation:
    folder: Path
    port: int

    @property
    def issuer(self) -> str:
        return f"https://localhost:{self.port}/o"

    def says(self, **otherwise: Any) -> None:
        """Deviations from now on; without arguments, none."""
        (self.folder / "says.json").write_text(json.dumps(otherwise))

    def changes_key(self) -> None:
        (self.folder / "key.pem").write_bytes(new_key())

    def set_up(self, folder: Path, **written: Any) -> Path:
        """Writes the file for OIDC_PROVIDERS, a new one each time."""
        entry = {
            "name": "the Inspectorate",
            "issuer": self.issuer,
            "client_id": CLIENT,
            "casinos": ["harbour"],
            "client_secret_file": "secret",
            "ca_file": str(self.folder / "tls.pem"),
        } | written
        (folder / "secret").write_text(f"{SECRET}\n")
        file = folder / f"providers-{len(list(folder.iterdir()))}.toml"
        lines = [f"{name} = {json.dumps(value)}" for name, value in entry.items()]
        file.write_text("\n".join(["[inspectorate]", *lines]))
        return file


@contextmanager
def running(folder: Path) -> Iterator[Organisation]:
    (folder / "tls.pem").write_bytes(new_certificate())
    (folder / "key.pem").write_bytes(new_key())
    command = [sys.executable, "-m", "tests.compliance.core.accounts.oidc_provider", str(folder)]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO_")}
    with (folder / "provider.log").open("w") as log:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=PROJECT,
            env=settings,
            preexec_fn=dies_with_parent(signal.SIGTERM),
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, (folder / "provider.log").read_text()
            yield Organisation(folder, json.loads(line)["port"])
        finally:
            process.terminate()
            process.wait(10)


def new_key() -> bytes:
    return _pem(rsa.generate_private_key(public_exponent=65537, key_size=2048))


def _pem(key: Any) -> bytes:
    kinds = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return bytes(key.private_bytes(*kinds))


@cache
def new_certificate() -> bytes:
    """Key and certificate of a private certificate authority, as inspectorates have in their networks."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Inside")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _pem(key) + certificate.public_bytes(serialization.Encoding.PEM)


@cache
def at_the_provider(organisation: Organisation, name: str) -> requests.Session:
    """A session that is logged in at the provider and stays so, as in single sign-on."""
    there = requests.Session()
    there.trust_env, there.verify = False, str(organisation.folder / "tls.pem")
    return there


@dataclass
class Traveller:
    """One browser: its cookies here, in Django's client, and its cookies at the provider."""

    organisation: Organisation
    here: Client
    there: requests.Session
    name: str

    @classmethod
    def of(cls, organisation: Organisation, name: str, here: Client | None = None) -> "Traveller":
        return cls(organisation, here or Client(), at_the_provider(organisation, name), name)

    def leave(self, then: str = "") -> str:
        """Up to the provider's response: returns the callback URL."""
        answer = self.here.get(BEGIN + then)
        assert answer.status_code == 302, answer.content.decode()
        return self.sent_back_from(answer.headers["Location"])

    def sent_back_from(self, address: str) -> str:
        page = self.there.get(address, allow_redirects=False)
        if "/login/" in page.headers.get("Location", ""):
            page = self._log_in(page.headers["Location"])
        location = page.headers.get("Location", "")
        assert "/back/" in location, page.text
        return location

    def _log_in(self, address: str) -> requests.Response:
        root = f"https://localhost:{self.organisation.port}"
        form = self.there.get(root + address)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form.text)
        assert token is not None, form.text
        typed = {"username": self.name, "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
        sent = self.there.post(form.url, typed, headers={"Referer": form.url}, allow_redirects=False)
        return self.there.get(root + sent.headers["Location"], allow_redirects=False)

    def travel(self, then: str = "") -> Any:
        """To the provider and back."""
        return self.here.get(self.leave(then))
