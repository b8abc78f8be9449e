"""Validates pack files for `rulebook check`. Each problem names file, key, what was found and what was expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rounds.engine import EngineError, Pack
from rounds.rulebook.packs.pack_sources import load_own_pack
from rounds.rulepacks import PACK_FOLDER


@dataclass(frozen=True, slots=True)
class CheckedFile:
    file: str
    pack: Pack | None
    problems: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "ok": not self.problems,
            "rules": None if self.pack is None else self.pack.slug,
            "version": None if self.pack is None else self.pack.version,
            "problems": list(self.problems),
        }


def shipped_pack_files() -> list[Path]:
    return sorted(path for path in PACK_FOLDER.glob("*.toml") if "." not in path.stem)


def check_files(files: Sequence[Path]) -> list[CheckedFile]:
    """Validates every file, and reports files with the same slug and version as another."""
    checked: list[CheckedFile] = []
    for path in files:
        one = _check_file(path)
        duplicate_of = next(
            (other.file for other in checked if one.pack and other.pack and one.pack.name == other.pack.name), ""
        )
        if one.pack is not None and duplicate_of:
            problem = f"{one.file}: version: found {one.pack.name}, as in {duplicate_of}, expected each version once"
            one = CheckedFile(one.file, one.pack, (problem,))
        checked.append(one)
    return checked


def _check_file(path: Path) -> CheckedFile:
    try:
        return CheckedFile(path.name, load_own_pack(path))
    except EngineError as error:
        return CheckedFile(path.name, None, error.problems)
