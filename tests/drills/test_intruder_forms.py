"""Extra form fields, files with a false type, and URLs that the server might be made to call."""

import re
import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.urls import reverse
from pytest_django import Settings

from compliance.config.environment import PROJECT
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.web.errors import Refusal
from compliance.core.web.files.uploads import UnsupportedFile
from compliance.disputes.attachments import store_upload
from rounds.rulebook.versions.propose import read_source_upload, validate_pack_file
from tests.compliance.core.accounts.people import browser_of
from tests.contracts.test_permission_matrix import ROWS, places
from tests.contracts.url_arguments import Places, person_named
from tests.drills.support.full_length import count_in_tally

__all__ = ["places"]

# Fields that an intruder would like to set on any page.
EXTRA = {
    "is_superuser": "1", "is_staff": "1", "is_active": "1", "user": "1", "actor": "1", "role": "inspector",
    "casino": "marina", "casino_id": "2", "state": "approved", "approved_by": "1", "entry_index": "0", "id": "1",
    "pk": "1", "now": "1999-01-01T00:00:00Z", "recorded_at": "1999-01-01T00:00:00Z", "password": "",
    "email": "evil@example.com",
}  # fmt: skip
# These end the session; the last refers to an invitation in the far future here, which cannot be sent again earlier.
ENDS_IT = ("accounts:sign-out", "accounts:everywhere", "accounts:invite-again")
# The only modules that make requests: the launcher to its own web server, the simulator to the service, a witness to
# its log, single sign-on to configured issuers, and webhooks to URLs that people entered, whose address checks are
# tested in tests/compliance/notify/webhooks/delivery/test_address_policy.py.
MAY_CALL_OUT = {
    "compliance/core/accounts/sso/http_client.py",
    "compliance/config/run/launcher.py",
    "compliance/notify/webhooks/delivery/http_client.py",
    "rounds/simulator/delivery/connection.py",
    "rounds/simulator/client/sender.py",
    "rounds/witness/http/http_client.py",
}
CALL_OUT = {"urllib.request", "http.client", "requests", "httpx", "aiohttp", "ftplib", "telnetlib", "urllib3", "pycurl"}
OPENERS = {"zipfile", "gzip", "bz2", "lzma", "xml", "lxml", "openpyxl", "xlrd", "pickle", "shelve", "marshal", "yaml"}
# Zip bundles are written, never opened; a batch is decompressed within limits; escaping a paragraph opens nothing. The
# last three read what their own child processes send over a pipe.
MAY_OPEN = {
    "compliance/transparency/ledger_pages/build_bundle.py",
    "rounds/intake/protocol/signed_batch.py",
    "rounds/ledger/verify/process_pool.py",
    "rounds/rulebook/editor/worker_process.py",
    "rounds/rulebook/editor/__main__.py",
}
ESCAPES = "xml.sax.saxutils"
IMPORT = re.compile(r"^\s*(?:from|import) ([\w.]+)(?: import (\w+))?", re.MULTILINE)


def powers() -> dict[str, object]:
    return {
        "people": list(User.objects.order_by("pk").values_list("pk", "email", "is_active", "password")),
        "casinos": list(Casino.objects.order_by("pk").values_list("slug", "name")),
        "roles": list(RoleAssignment.objects.order_by("pk").values_list("pk", "user_id", "casino_id", "role")),
    }


def test_a_field_that_a_form_does_not_have_sets_nothing(places: Places) -> None:
    before = powers()
    posted = 0
    for column in ("insp", "admin"):
        browser = browser_of(person_named(column))
        for name, row in ROWS.items():
            is_open = row[column] in ("200", "405") and name not in ENDS_IT
            if is_open and (column == "insp" or name.startswith("accounts:")):
                answer = browser.post(reverse(name, kwargs=places.get(name)), EXTRA)
                assert answer.status_code < 500, name
                posted += 1
    assert powers() == before
    assert posted > 150
    count_in_tally("forms sent with fields they do not have", posted)


def test_no_form_takes_its_fields_from_a_model() -> None:
    """What a form has is what it lists: a column added to a table is not a field that anybody can set."""
    texts = {path: path.read_text() for root in OURS for path in (PROJECT / root).rglob("*forms*.py")}
    assert len(texts) > 10
    assert [path.name for path, text in texts.items() if "ModelForm" in text or '__all__"' in text] == []


OURS = ("compliance", "rounds", "promotions")


def a_picture(width: int, height: int) -> bytes:
    """A PNG that declares this size and holds one empty row."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(chunk, (b"IHDR", b"IDAT", b"IEND"), (head, zlib.compress(b"\0"), b"")))


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


PDF = b"%PDF-1.7\n%%EOF\n"
LAUGHS = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "' + b"ha" * 99 + b'"><!ENTITY c "&b;&b;&b;">]><a>&c;&c;</a>'


@pytest.mark.parametrize(
    "name",
    [
        "../../../../etc/cron.d/x.pdf",
        "..\\..\\windows\\x.pdf",
        "/etc/passwd.pdf",
        "%2e%2e/%2e%2e/x.pdf",
        "x\0.pdf",
        "....//x.pdf",
    ],
)
def test_a_file_lands_where_we_keep_files_whatever_its_name(settings: Settings, tmp_path: Path, name: str) -> None:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    upload = SimpleUploadedFile("x.pdf", PDF)
    # Bypasses Django's own check of the name: ours must hold by itself.
    upload._name = name  # type: ignore[attr-defined]
    stored = store_upload(upload)
    assert not set(stored.file_name) & set("/\\\0")
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.resolve().is_relative_to(settings.MEDIA_ROOT) for path in written] == [True]
    assert "/" not in read_source_upload(PDF, name).file_name


@pytest.mark.parametrize(
    ("name", "content"),
    {
        "picture of four thousand million points": ("big.png", a_picture(65_000, 65_000)),
        "XML that grows": ("laughs.pdf", LAUGHS),
        "XML by its own name": ("laughs.xml", LAUGHS),
        "drawing with a script": ("x.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
        "archive": ("x.zip", b"PK\x03\x04" + b"\0" * 64),
        "archive that says it is a PDF": ("x.pdf", b"PK\x03\x04" + b"\0" * 64),
        "page that says it is a picture": ("x.png", b"<html><script>alert(1)</script>"),
    }.values(),
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_bomb_is_refused_unopened(settings: Settings, tmp_path: Path, name: str, content: bytes) -> None:
    settings.MEDIA_ROOT = tmp_path
    with pytest.raises(UnsupportedFile):
        store_upload(SimpleUploadedFile(name, content))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "content", [b"a = " + b"[" * 50_000, b"a." * 50_000 + b"b = 1", LAUGHS, b"\xff\xfe", b"a = 1" + b"0" * 9000]
)
def test_a_rule_pack_that_would_exhaust_its_reader_is_refused(content: bytes) -> None:
    with pytest.raises(Refusal):
        validate_pack_file(content, "bomb.toml")


def imports_of(path: Path) -> set[str]:
    lines = IMPORT.findall(path.read_text())
    return {module for module, _ in lines} | {f"{module}.{name}" for module, name in lines if name}


def test_the_server_calls_no_address_and_opens_no_archive_or_xml() -> None:
    """No picture by address, no document type fetched: of what a person enters only a webhook's address is ever called,
    and that is a text to all but the one file that checks it."""
    callers, openers = set(), set()
    for root in OURS:
        for path in (PROJECT / root).rglob("*.py"):
            if not (imported := imports_of(path)):
                continue
            name = str(path.relative_to(PROJECT))
            callers |= {name} if any(one in CALL_OUT or one.split(".")[0] in CALL_OUT for one in imported) else set()
            opened = {one for one in imported if not one.startswith(ESCAPES)}
            openers |= {name} if any(one.split(".")[0] in OPENERS for one in opened) else set()
    assert callers == MAY_CALL_OUT
    assert openers <= MAY_OPEN
    assert not [
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.URLField)
    ]


def test_the_mail_server_is_named_by_the_environment_alone() -> None:
    """No page has a setting for it: the words stand in the settings file and nowhere else."""
    users = [
        str(path.relative_to(PROJECT))
        for root in OURS
        for path in (PROJECT / root).rglob("*.py")
        if "EMAIL_HOST" in path.read_text() or "get_connection(" in path.read_text()
    ]
    assert users == ["compliance/config/settings.py"]


def test_what_is_uploaded_is_bounded_before_it_is_read() -> None:
    """A body that goes on for ever is cut at the limit, not read into memory first."""

    class Endless(BytesIO):
        asked = 0

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert size >= 0, "asked for everything"
            Endless.asked = size
            return b"%PDF-" + b"0" * min(size - 5, 1024)

    upload = SimpleUploadedFile("x.pdf", b"")
    upload.file, upload.size = Endless(), 10 * 1024 * 1024 + 1
    with pytest.raises(UnsupportedFile, match="larger than"):
        store_upload(upload)
    assert Endless.asked == 0
