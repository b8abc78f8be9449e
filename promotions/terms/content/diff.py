"""Comparison of two versions of terms, section by section, as patrons read them."""

from dataclasses import dataclass

from compliance.core.accounts.models import Casino
from promotions.terms.content.labels import section_title
from promotions.terms.content.terms import Terms
from promotions.terms.content.text import TermsSection, build_sections


@dataclass(frozen=True)
class SectionDiff:
    title: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        return self.before != self.after


def compare_terms(before: Terms, after: Terms, casino: Casino) -> list[SectionDiff]:
    """All sections of either version, in the order of the new one. Sections that only the old one has come last."""
    old, new = ({part.item: part for part in build_sections(terms, casino)} for terms in (before, after))
    name = SectionDiff(section_title("name"), (before.name,), (after.name,))
    return [name, *(_section_diff(item, old, new) for item in dict.fromkeys([*new, *old]))]


def _section_diff(item: str, old: dict[str, TermsSection], new: dict[str, TermsSection]) -> SectionDiff:
    lines = [parts[item].as_lines() if item in parts else () for parts in (old, new)]
    return SectionDiff(section_title(item), *lines)
