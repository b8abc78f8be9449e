"""Comparison of two versions of terms, section by section and word by word, as patrons read them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from compliance.core.accounts.models import Casino
from promotions.terms.content.labels import section_title
from promotions.terms.content.terms import Terms
from promotions.terms.content.text import TermsSection, build_sections


@dataclass(frozen=True)
class Piece:
    """Part of a line. `is_changed`: the other version does not have it."""

    text: str
    is_changed: bool


MarkedLine = tuple[Piece, ...]


@dataclass(frozen=True)
class SectionDiff:
    title: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        return self.before != self.after

    def marked_lines(self) -> tuple[list[MarkedLine], list[MarkedLine]]:
        """The lines before and after, with the words that changed."""
        old, new = (_words(lines) for lines in (self.before, self.after))
        opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        return (
            _mark_lines((old[start:end], tag != "equal") for tag, start, end, _, _ in opcodes),
            _mark_lines((new[start:end], tag != "equal") for tag, _, _, start, end in opcodes),
        )


def _words(lines: tuple[str, ...]) -> list[str]:
    """Words, each with the space after it, so that a run of changed words is one piece; and line breaks."""
    return re.findall(r"\n|\S+[^\S\n]*", "\n".join(lines))


def _mark_lines(parts: Iterable[tuple[list[str], bool]]) -> list[MarkedLine]:
    lines: list[list[Piece]] = [[]]
    for words, is_changed in parts:
        first, *others = "".join(words).split("\n")
        lines[-1].append(Piece(first, is_changed))
        lines += [[Piece(text, is_changed)] for text in others]
    return [tuple(piece for piece in line if piece.text) for line in lines]


def compare_terms(before: Terms, after: Terms, casino: Casino) -> list[SectionDiff]:
    """All sections of either version, in the order of the new one. Sections that only the old one has come last."""
    old, new = ({part.item: part for part in build_sections(terms, casino)} for terms in (before, after))
    name = SectionDiff(section_title("name"), (before.name,), (after.name,))
    return [name, *(_section_diff(item, old, new) for item in dict.fromkeys([*new, *old]))]


def _section_diff(item: str, old: dict[str, TermsSection], new: dict[str, TermsSection]) -> SectionDiff:
    lines = [parts[item].as_lines() if item in parts else () for parts in (old, new)]
    return SectionDiff(section_title(item), *lines)
