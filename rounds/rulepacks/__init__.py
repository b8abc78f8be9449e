"""The rule packs that ship with the product.

*.toml                 one rule pack each
*.golden.toml          golden cases of the pack with the same name: wagers settled by hand
*.violations.toml      violation cases of the pack: records that break one clause, and their honest counterparts
*.justifications.toml  values of the pack that neither cases nor validation can test, each with the reason
golden_cases.py        loads the golden cases
violation_cases.py     loads the violation cases; explains their keys
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rounds.engine import PackCollection, pack

PACK_FOLDER = Path(__file__).parent


@cache
def shipped_packs() -> PackCollection:
    """Every shipped pack, loaded and validated once per process."""
    return pack.load_pack_folder(PACK_FOLDER)
