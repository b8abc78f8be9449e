"""Exported bundles contain the approved rule packs, and the offline verifier compares them with the approvals."""

import hashlib
import json
from pathlib import Path

import pytest

from rounds.ledger.export.export_entries import export_range, export_selection
from rounds.ledger.readers.search import size_of
from tests.rounds.rulebook.rule_makers import (
    NSW,
    RWS,
    RuleMakers,
    days_later,
    propose,
    propose_and_approve,
    shipped_pack_bytes,
)
from tests.rounds.transparency_log.bundle_tampering import inspect


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "evidence"


@pytest.fixture(autouse=True)
def first(transactional_db: None, rulers: RuleMakers, key_file: Path) -> int:
    """The index of the first of five entries: NSW proposed, approved; RWS proposed, approved; NSW proposed again."""
    before = size_of("harbour")
    propose_and_approve(rulers)
    propose_and_approve(rulers, RWS, evidence="")
    propose(rulers)
    return before


def export(folder: Path, last: int) -> None:
    export_range(log="harbour", first=0, last=last, folder=folder, casino="Harbour Casino", now=days_later(1))


def pack_file(folder: Path, rules: str) -> Path:
    [found] = (folder / "packs").glob(f"{rules}@*")
    return found


def test_the_packs_approved_up_to_the_last_entry_are_there_and_fit(folder: Path, first: int) -> None:
    export(folder, first + 5)
    assert pack_file(folder, NSW).read_bytes() == shipped_pack_bytes(NSW)
    assert pack_file(folder, RWS).read_bytes() == shipped_pack_bytes(RWS)
    verdict = inspect(folder)
    assert verdict.status == 0, verdict.words
    assert "Rule packs: 2, each the file that the manifest describes." in verdict.words
    assert "Of these, 2 have the very bytes that entries here approved." in verdict.words


def test_a_pack_approved_later_is_not_there(folder: Path, first: int) -> None:
    export(folder, first + 3)
    assert [path.name.partition("@")[0] for path in (folder / "packs").iterdir()] == [NSW]


def test_a_selection_brings_its_packs_too(folder: Path, first: int) -> None:
    export_selection(log="harbour", indexes=[first + 3], folder=folder, casino="Harbour Casino", now=days_later(1))
    verdict = inspect(folder)
    assert verdict.status == 0, verdict.words
    assert "Of these, 1 have the very bytes" in verdict.words


def test_a_pack_that_was_changed_together_with_the_manifest_is_found_out(folder: Path, first: int) -> None:
    export(folder, first + 5)
    path = pack_file(folder, NSW)
    path.write_bytes(shipped_pack_bytes(NSW).replace(b'"180 to 1"', b'"150 to 1"'))
    manifest = json.loads((folder / "manifest.json").read_bytes())
    manifest["files"][f"packs/{path.name}"]["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    verdict = inspect(folder)
    assert verdict.status == 1
    assert "approved a rule pack that is not in packs/" in verdict.words
