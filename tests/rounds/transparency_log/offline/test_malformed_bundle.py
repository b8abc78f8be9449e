"""Malformed bundles are refused with a sentence, never with a traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rounds.transparency_log.offline.verify_bundle import verify
from tests.rounds.transparency_log.bundle_tampering import change_entries, change_manifest, flipped_bit, inspect
from tests.rounds.transparency_log.memory_log import MemoryLog

Tamper = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    log = MemoryLog()
    for rounds in (30, 20, 50):
        log.play(rounds)
        log.sign()
    log.write_range(tmp_path / "evidence", 40, 60)
    assert verify(tmp_path / "evidence", None, None)
    return tmp_path / "evidence"


def written(name: str, content: bytes) -> Tamper:
    return lambda folder: (folder / name).write_bytes(content)


def claimed(**members: object) -> Tamper:
    return lambda folder: change_manifest(folder, **members)


def repeat_member(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"casino"', b'"casino": "x", "casino"'))


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_link(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))
    path.symlink_to(path.with_suffix(".moved"))


BROKEN: dict[str, Tamper] = {
    "no manifest": lambda folder: (folder / "manifest.json").unlink(),
    "manifest not JSON": written("manifest.json", b"\xff{"),
    "manifest a list": written("manifest.json", b"[]"),
    "manifest too deep": written("manifest.json", b"[" * 200_000),
    "manifest member twice": lambda folder: (
        (folder / "manifest.json").write_bytes(
            (folder / "manifest.json").read_bytes().replace(b'"casino"', b'"casino": "x", "casino"')
        )
        and None
    ),
    "manifest with a huge number": lambda folder: (
        (folder / "manifest.json").write_bytes(b'{"size":' + b"9" * 9000 + b"}") and None
    ),
    "other format": claimed(format="fairthrow-evidence/2"),
    "other kind": claimed(kind="all"),
    "size as text": claimed(size="100"),
    "size a boolean": claimed(start=True),
    "negative start": claimed(start=-1),
    "empty range": claimed(end=40),
    "other start": claimed(start=41),
    "other end": claimed(end=61),
    "other count": claimed(count=21),
    "other size": claimed(size=101),
    "other origin": claimed(origin="ledger.example/marina"),
    "other log": claimed(log="marina"),
    "key of nonsense": claimed(verifier_key="x+y+z"),
    "no range proof": claimed(range_proof=None),
    "range proof of nonsense": claimed(range_proof={"left": 5, "right": "x"}),
    "range proof without sides": claimed(range_proof={"left": [], "right": []}),
    "files of nonsense": claimed(files={"entries.ndjson": 5}),
    "file outside": claimed(files={"../evidence/entries.ndjson": {"sha256": ""}}),
    "entries not UTF-8": written("entries.ndjson", b"\xff\n"),
    "entries without end of line": written("entries.ndjson", b"{}"),
    "entries a directory": lambda folder: replace_by_folder(folder / "entries.ndjson"),
    "entries a link": lambda folder: replace_by_link(folder / "entries.ndjson"),
    "half a surrogate": lambda folder: change_entries(folder, lambda lines: [{**lines[0], "body": "\ud800"}]),
    "body not text": lambda folder: change_entries(folder, lambda lines: [{**lines[0], "body": {"a": 1}}, *lines[1:]]),
    "hashes cut": written("leaf-hashes.bin", b"x" * 33),
    "checkpoints empty": written("checkpoints.txt", b""),
    "checkpoints of nonsense": written("checkpoints.txt", b"a\n\nb\n"),
    "consistency of nonsense": written("consistency.ndjson", b"[]\n" * 2),
}


@pytest.mark.parametrize("tamper", BROKEN.values(), ids=BROKEN)
def test_a_broken_folder_is_refused_in_words(tamper: Tamper, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(folder)
    assert not verify(folder, None, None)
    assert "DOES NOT FIT: " in capsys.readouterr().out


def test_what_the_folder_says_cannot_command_the_readers_terminal(folder: Path) -> None:
    change_manifest(folder, casino="\x1b[2J\ud800\u202eHarbour é")
    status, words = inspect(folder)
    assert status == 0
    assert words.startswith("Evidence of ?[2J??Harbour \\xe9, log ledger.example/harbour, exported 2025-03-01T10:00:00")


def test_a_folder_that_does_not_exist_is_refused_in_words(tmp_path: Path) -> None:
    status, words = inspect(tmp_path / "nowhere")
    assert status == 1
    assert "DOES NOT FIT: manifest.json is missing, or is not an ordinary file." in words


SIGNED_FILES = ("entries.ndjson", "checkpoints.txt", "consistency.ndjson", "leaf-hashes.bin")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_one_flipped_bit_of_any_file_is_refused(data: st.DataObject, folder: Path) -> None:
    path = folder / data.draw(st.sampled_from(SIGNED_FILES))
    with flipped_bit(path, data.draw(st.integers(0, path.stat().st_size * 8 - 1))):
        assert not verify(folder, None, None)
    assert verify(folder, None, None)
