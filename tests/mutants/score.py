"""Runs mutants against the killers, and compares the survivors with the justifications."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from rounds.rulepacks import PACK_FOLDER, shipped_packs
from tests.mutants.killers import KILLERS
from tests.mutants.mutated_pack import load_mutated
from tests.mutants.mutations import Mutant


@dataclass(frozen=True)
class Justification:
    """Why nothing notices a change of these values of a pack. `path` is a pattern for the place of a value or for its
    schema, `change` one for the change.

    `is_pending`: a case could notice it and is still to be written, so it counts against the score."""

    slug: str
    path: str
    because: str
    change: str
    is_pending: bool

    def excuses(self, slug: str, mutant: Mutant) -> bool:
        is_at_path = fnmatchcase(mutant.schema, self.path) or fnmatchcase(mutant.name, self.path)
        return slug == self.slug and is_at_path and fnmatchcase(mutant.change, self.change)


@cache
def justifications() -> tuple[Justification, ...]:
    """All that stand beside the packs, in `SLUG.justifications.toml`."""
    slugs = sorted(pack.slug for pack in shipped_packs())
    files = {slug: (PACK_FOLDER / f"{slug}.justifications.toml").read_text(encoding="utf-8") for slug in slugs}
    return tuple(
        Justification(slug, each["path"], each["because"], each.get("change", "*"), each.get("pending", False))
        for slug, text in files.items()
        for each in tomllib.loads(text)["survives"]
    )


def find_killer(slug: str, mutant: Mutant) -> str | None:
    """What notices this change of the pack: validation or the first killer that fails. None: the mutant survives."""
    changed = load_mutated(slug, mutant)
    if changed is None:
        return "validation"
    for killer in KILLERS:
        if mutant.path[0] in killer.sections and killer.notices(changed, mutant):
            return killer.name
    return None


def justification_of(slug: str, survivor: Mutant) -> Justification | None:
    return next((known for known in justifications() if known.excuses(slug, survivor)), None)


def outdated_justifications(survivors: Iterable[tuple[str, Mutant]]) -> list[Justification]:
    """Justifications that excuse none of the survivors of a full run, and have to be removed."""
    found = list(survivors)
    return [known for known in justifications() if not any(known.excuses(*each) for each in found)]
