"""The product's positions behind a rule document's words for roles."""

from __future__ import annotations

from rounds.engine import Pack


def positions_for_role(pack: Pack, document_word: str) -> tuple[str, ...]:
    """The positions that the document's word for a role stands for."""
    role = pack.roles.get(document_word)
    return tuple(str(position) for position in role.means) if role else ()


def position_words(position: str) -> str:
    """ "a games supervisor" for `games-supervisor`."""
    words = position.replace("-", " ")
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
