"""Reading the floor: who may see what, and what intake asks for every batch."""

from dataclasses import dataclass
from datetime import datetime

from rounds.floor.models import ControllerKey, ControllerTable


@dataclass(frozen=True, slots=True)
class KeyHeld:
    """A key that counts, and whose it is. `casino` is the casino's slug, which names its log."""

    key_id: str
    public_key: bytes
    controller_id: int
    controller: str
    casino_id: int
    casino: str


def active_key(key_id: str, at: datetime) -> KeyHeld | None:
    """The key, if it is approved, has begun and is not revoked. One query."""
    row = (
        ControllerKey.objects.active(at)
        .filter(key_id=key_id)
        .values_list(
            "key_id", "public_key", "controller_id", "controller__slug", "controller__casino_id",
            "controller__casino__slug",
        )
        .first()
    )  # fmt: skip
    return KeyHeld(row[0], bytes(row[1]), *row[2:]) if row else None


def tables_of(controller_id: int, at: datetime) -> frozenset[str]:
    """The slugs of the tables that a controller may speak for at an instant. One query."""
    given = ControllerTable.objects.at(at).filter(controller_id=controller_id)
    return frozenset(given.values_list("table__slug", flat=True))
