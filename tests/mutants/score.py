"""Runs mutants against the killers, and compares the survivors with the justifications."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from rounds.rulepacks import shipped_packs
from tests.mutants.killers import KILLERS
from tests.mutants.mutated_pack import load_mutated
from tests.mutants.mutations import Mutant

JUSTIFICATIONS = Path(__file__).with_name("justifications.toml")


@dataclass(frozen=True)
class Justification:
    """Why nothing notices a change of these values of a pack. `path` and `change` are patterns for a mutant's own.

    `is_pending`: a case could notice it and is still to be written, so it counts against the score."""

    slug: str
    path: str
    because: str
    change: str
    is_pending: bool

    def excuses(self, slug: str, mutant: Mutant) -> bool:
        return slug == self.slug and fnmatchcase(mutant.schema, self.path) and fnmatchcase(mutant.change, self.change)


@cache
def justifications() -> tuple[Justification, ...]:
    written = tomllib.loads(JUSTIFICATIONS.read_text(encoding="utf-8"))["survives"]
    every = [pack.slug for pack in shipped_packs()]
    return tuple(
        Justification(slug, each["path"], each["because"], each.get("change", "*"), each.get("pending", False))
        for each in written
        for slug in each.get("packs", every)
    )


def find_killer(slug: str, mutant: Mutant) -> str | None:
    """What notices this change of the pack: validation or the first killer that fails. None: the mutant survives."""
    changed = load_mutated(slug, mutant)
    if changed is None:
        return "validation"
    shipped = shipped_packs().find(slug)
    for killer in KILLERS:
        if mutant.path[0] in killer.sections and killer.notices(changed, shipped):
            return killer.name
    return None


def justification_of(slug: str, survivor: Mutant) -> Justification | None:
    return next((known for known in justifications() if known.excuses(slug, survivor)), None)


def outdated_justifications(survivors: Iterable[tuple[str, Mutant]]) -> list[Justification]:
    """Justifications that excuse none of the survivors of a full run, and have to be removed."""
    found = list(survivors)
    return [known for known in justifications() if not any(known.excuses(*each) for each in found)]
