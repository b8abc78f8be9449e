"""Old and new terms side by side, part by part, as patrons read them."""

from dataclasses import dataclass

from compliance.accounts.models import Casino
from promotions.terms.content import Terms
from promotions.terms.wording import Section, sections
from promotions.terms.words import title_of


@dataclass(frozen=True)
class Compared:
    title: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def is_changed(self) -> bool:
        return self.before != self.after


def compare(before: Terms, after: Terms, casino: Casino) -> list[Compared]:
    """Every part of either, in the order of the new ones; what only the old ones had comes last."""
    old, new = ({part.item: part for part in sections(terms, casino)} for terms in (before, after))
    name = Compared(title_of("name"), (before.name,), (after.name,))
    return [name, *(_compared(item, old, new) for item in dict.fromkeys([*new, *old]))]


def _compared(item: str, old: dict[str, Section], new: dict[str, Section]) -> Compared:
    lines = [parts[item].as_lines() if item in parts else () for parts in (old, new)]
    return Compared(title_of(item), *lines)
