"""PackCollection: loaded packs, looked up by rule slug and version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rounds.engine.errors import EngineError, ErrorCode
from rounds.engine.pack.pack_file import Pack, load_pack_file


class PackCollection:
    """Packs by slug and version. The version may be omitted if the slug has only one."""

    def __init__(self, packs: Iterable[Pack]) -> None:
        self._packs: dict[str, dict[str, Pack]] = {}
        for pack in packs:
            versions = self._packs.setdefault(pack.slug, {})
            if pack.version in versions:
                raise EngineError(ErrorCode.BAD_PACK, f"{pack.name} is here twice: expected each version once")
            versions[pack.version] = pack

    def __iter__(self) -> Iterator[Pack]:
        return (pack for versions in self._packs.values() for pack in versions.values())

    def find(self, slug: object, version: str | None = None) -> Pack:
        versions = self._packs.get(slug) if isinstance(slug, str) else None
        if versions is None:
            raise EngineError(
                ErrorCode.UNKNOWN_RULES, f"no rules {repr(slug)[:60]}: expected one of {', '.join(self._packs)}"
            )
        if version is None and len(versions) == 1:
            return next(iter(versions.values()))
        if version is None or version not in versions:
            found = "no version is named" if version is None else f"there is no version {version[:60]!r}"
            raise EngineError(ErrorCode.UNKNOWN_VERSION, f"{slug}: {found}, expected one of {', '.join(versions)}")
        return versions[version]


def load_pack_folder(folder: Path) -> PackCollection:
    """Every pack file of a folder, without the files about a pack, such as `*.golden.toml`."""
    return PackCollection(load_pack_file(path) for path in sorted(folder.glob("*.toml")) if "." not in path.stem)
