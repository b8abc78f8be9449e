"""Registry of entry kinds. Each app registers its own when Django starts; append() refuses unknown kinds."""

from dataclasses import dataclass

from rounds.ledger.errors import EntryError


@dataclass(frozen=True)
class EntryKind:
    name: str
    meaning: str


_KINDS: dict[str, EntryKind] = {}


def register_kind(name: str, meaning: str) -> EntryKind:
    kind = EntryKind(name, meaning)
    if _KINDS.setdefault(name, kind) != kind:
        raise ValueError(f"Two apps register the entry kind {name!r}.")
    return kind


def registered_kinds() -> list[EntryKind]:
    return sorted(_KINDS.values(), key=lambda kind: kind.name)


def require_registered_kind(name: str) -> None:
    if name not in _KINDS:
        raise EntryError("unknown-kind", f"There is no entry kind {name!r}.", "/kind")


CORRECTION = register_kind("correction", "Takes back or amends an earlier entry, with reason and person.")
VERIFIED = register_kind("ledger-verified", "The log was read again and compared with all that was computed from it.")
KEY_CHANGED = register_kind("ledger-key-changed", "The key that signs the log was changed: to which, and why.")
EPOCH = register_kind("ledger-epoch", "The log goes on after a restore: what was lost, and who says so.")
