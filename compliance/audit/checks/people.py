"""A document's people in the product's words."""

from __future__ import annotations

from rounds.engine.packs import Pack


def means(pack: Pack, word: str) -> tuple[str, ...]:
    """The positions that the document's own word stands for."""
    role = pack.roles.get(word)
    return tuple(str(position) for position in role.means) if role else ()
