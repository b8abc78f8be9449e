"""The rule packs that ship with the product: one TOML file a rule version, one file of golden cases beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rounds.engine import PackCollection, pack

PACK_FOLDER = Path(__file__).parent


@cache
def shipped_packs() -> PackCollection:
    """Every shipped pack, read and validated once a process."""
    return pack.load_pack_folder(PACK_FOLDER)
