"""Random bytes: every parser accepts them or raises its own error, and none crashes."""

import gzip
import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pytest_django import Settings

from compliance.core.web.errors import Refusal
from compliance.core.web.files.uploads import read_upload
from compliance.disputes.attachments import store_upload
from compliance.reports.offline.verify_report import verify_report
from rounds.engine.bets.bet_codes import parse_bet
from rounds.engine.errors import EngineError
from rounds.engine.pack.pack_file import load_pack
from rounds.floor.public_keys import read_public_key
from rounds.intake.protocol.envelope import parse_line
from rounds.intake.protocol.errors import MalformedLine
from rounds.intake.protocol.examples import BODIES
from rounds.intake.protocol.signed_batch import gunzip
from rounds.intake.services.import_rounds import UnreadableFile, import_rounds
from rounds.rulepacks import PACK_FOLDER
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.leaf import make_header, parse_header
from rounds.transparency_log.formats.signed_note import SignerKey, VerifierKey, open_checkpoint, sign_checkpoint
from rounds.transparency_log.formats.strict_json import parse_strict_object
from rounds.transparency_log.formats.tlog_proof import TlogProof
from rounds.transparency_log.offline.verify_bundle import verify
from rounds.transparency_log.tree.merkle import EMPTY_ROOT, TreeHead
from tests.drills.support.full_length import count_in_tally
from tests.drills.support.mutated_bytes import example_count, valid_or_random_bytes
from tests.rounds.engine.cases import LICENSEE, MBS, NSW, RWS, SKYCITY
from tests.rounds.floor.crew import OPENING, PUBLIC_KEY, Crew, gather, new_table
from tests.rounds.intake.services.test_import_rounds import CSV
from tests.rounds.transparency_log.memory_log import MemoryLog

SIGNER = SignerKey.from_seed("ledger.example/harbour", bytes(32))
NOTE = sign_checkpoint(TreeHead(0, EMPTY_ROOT), SIGNER)
PROOF = TlogProof(3, (bytes(32), bytes(range(32))), NOTE, b"extra").to_bytes()
LINES = [
    json.dumps({"kind": kind, "table": "sb-1", "sequence": 1, "at": "2026-11-16T09:00:00Z", "body": body}).encode()
    for kind, body in BODIES.items()
]
HEADER = make_header(kind="round", log="harbour", recorded_at=OPENING, table="sb-1", controller="box-1", sequence=7)
PUBLIC = Ed25519PublicKey.from_public_bytes(PUBLIC_KEY)
PEM = PUBLIC.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
REPORT = b'%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile /Length 13 >>\nstream\n{"entries":1}\nendstream\nendobj\n%%EOF\n'
NAMES = ["a.png", "b.jpg", "c.pdf", "../../d.png", "e\x00.png", "file"]


def a_picture(form: str) -> bytes:
    picture = BytesIO()
    Image.new("RGB", (4, 3)).save(picture, form)
    return picture.getvalue()


def text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


class Reader(NamedTuple):
    """`read` raises one of `refusals` or accepts the bytes."""

    name: str
    valid: Sequence[bytes]
    read: Callable[[bytes], Any]
    refusals: tuple[type[Exception], ...]


READERS = (
    Reader("lines of controllers", LINES, parse_line, (MalformedLine,)),
    Reader("JSON of the ledger", LINES, parse_strict_object, (LedgerError,)),
    Reader("headers of leaves", [HEADER], parse_header, (LedgerError,)),
    Reader("checkpoints", [NOTE], lambda note: open_checkpoint(note, SIGNER.verifier), (LedgerError,)),
    Reader("proof files", [PROOF], TlogProof.parse, (LedgerError,)),
    Reader("verifier keys", [str(SIGNER.verifier).encode()], lambda key: VerifierKey.parse(text(key)), (LedgerError,)),
    Reader("keys of controllers", [PEM, b64encode(PUBLIC_KEY)], lambda key: read_public_key(text(key)), (Refusal,)),
    Reader("compressed batches", [gzip.compress(LINES[0])], gunzip, (Refusal,)),
    Reader(
        "names of bets",
        [b"double-single:1-1-3", b"total:9", b"streak:small-big"],
        lambda bet: parse_bet(text(bet)),
        (EngineError,),
    ),
    Reader(
        "material of promotions",
        [a_picture("PNG"), a_picture("JPEG"), b"%PDF-1.7"],
        lambda content: read_upload(SimpleUploadedFile("poster.png", content), 5_000_000),
        (Refusal,),
    ),
)


def assert_taken_or_refused(reader: Reader, content: bytes) -> None:
    """Any other exception fails the test."""
    count_in_tally(f"inputs: {reader.name}")
    try:
        reader.read(content)
    except reader.refusals:
        count_in_tally(f"inputs refused: {reader.name}")


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_any_bytes_are_taken_or_refused_in_words(reader: Reader) -> None:
    for valid in reader.valid:
        if reader.name != "material of promotions":
            reader.read(valid)

    @example_count(25, full=500)
    @given(content=valid_or_random_bytes(reader.valid))
    def try_them(content: bytes) -> None:
        assert_taken_or_refused(reader, content)

    try_them()


def test_any_rule_pack_is_taken_or_refused_in_words() -> None:
    packs = [(PACK_FOLDER / f"{rules}.toml").read_bytes() for rules in (LICENSEE, MBS, NSW, RWS, SKYCITY)]
    reader = Reader("rule packs", packs, lambda content: load_pack(content, "draft.toml"), (EngineError,))

    @example_count(8, full=100)
    @given(content=valid_or_random_bytes(packs))
    def try_them(content: bytes) -> None:
        assert_taken_or_refused(reader, content)

    try_them()


def test_any_file_of_past_rounds_is_recorded_or_refused_in_words(db: None, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    crew: Crew = gather()
    new_table(crew)
    ndjson = [b"\n".join(LINES[:1] * 2), CSV.encode()]

    @example_count(20, full=300)
    @given(content=valid_or_random_bytes([*ndjson, CSV.encode()]), is_csv=st.booleans())
    def try_them(content: bytes, is_csv: bool) -> None:
        def read(raw: bytes) -> object:
            said: dict[str, Any] = {"casino": crew.harbour, "name": "october", "by": "staff 7", "now": OPENING}
            return import_rounds(content=raw, is_csv=is_csv, **said)

        assert_taken_or_refused(Reader("files of past rounds", [], read, (UnreadableFile,)), content)

    try_them()


def test_any_folder_of_evidence_is_accepted_or_refused_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = MemoryLog()
    for rounds in (30, 20):
        log.play(rounds)
        log.sign()
    folder = tmp_path / "evidence"
    log.write_range(folder, 20, 30)
    files = {path: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix != ".py" and path.is_file()}

    @example_count(20, full=300)
    @given(data=st.data())
    def try_them(data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(list(files)))
        path.write_bytes(data.draw(valid_or_random_bytes([files[path]])))
        try:
            assert_taken_or_refused(Reader("folders of evidence", [], lambda _: verify(folder, None, None), ()), b"")
        finally:
            path.write_bytes(files[path])
            capsys.readouterr()

    try_them()
    assert verify(folder, None, None)


def test_any_report_is_accepted_or_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.pdf"

    @example_count(20, full=300)
    @given(content=valid_or_random_bytes([REPORT]))
    def try_them(content: bytes) -> None:
        path.write_bytes(content)
        assert_taken_or_refused(Reader("reports", [], lambda _: verify_report(path, None, None), ()), b"")
        capsys.readouterr()

    try_them()


def test_any_attachment_is_kept_or_refused_in_words(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path
    pictures = [a_picture("PNG"), a_picture("JPEG"), b"%PDF-1.7\n%%EOF\n"]

    @example_count(25, full=500)
    @given(content=valid_or_random_bytes(pictures), name=st.sampled_from(NAMES))
    def try_them(content: bytes, name: str) -> None:
        def read(raw: bytes) -> object:
            return store_upload(SimpleUploadedFile(name, raw))

        assert_taken_or_refused(Reader("attachments", [], read, (Refusal,)), content)

    try_them()
