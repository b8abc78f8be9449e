"""Changes every value of every rule pack and prints the score of each pack and the survivors."""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rounds.rulepacks import shipped_packs
from tests.mutants.mutated_pack import pack_mutants
from tests.mutants.mutations import Mutant
from tests.mutants.score import find_killer, justification_of, outdated_justifications

PROCESSES = 2


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PACK", help="slugs of packs; default: all of them")
    parser.add_argument("--survivors", type=Path, metavar="FILE", help="write every survivor there, by schema path")
    options = parser.parse_args()
    slugs = options.names or sorted(pack.slug for pack in shipped_packs())
    survivors: list[tuple[str, Mutant]] = []
    unexplained = 0
    with ProcessPoolExecutor(PROCESSES) as processes:
        for slug in slugs:
            mutants = pack_mutants(slug)
            killers = list(processes.map(_find_killer_at, [slug] * len(mutants), range(len(mutants)), chunksize=20))
            survived = [mutant for mutant, killer in zip(mutants, killers, strict=True) if killer is None]
            left = [mutant for mutant in survived if justification_of(slug, mutant) is None]
            print(_score_line(slug, Counter(filter(None, killers)), survived), flush=True)
            print("".join(f"  {mutant.name}: {mutant.change}\n" for mutant in left), end="", flush=True)
            survivors += [(slug, mutant) for mutant in survived]
            unexplained += len(left)
    if options.survivors:
        options.survivors.write_text("\n".join(_survivor_lines(survivors)) + "\n")
    outdated = [] if options.names else outdated_justifications(survivors)
    for known in outdated:
        print(f"This justification excuses no survivor, remove it: {known.slug} {known.path} {known.change}")
    return 1 if unexplained or outdated else 0


def _find_killer_at(slug: str, index: int) -> str | None:
    return find_killer(slug, pack_mutants(slug)[index])


def _score_line(slug: str, killers: Counter[str], survived: list[Mutant]) -> str:
    """The share of the mutants that were killed, of those that a case could notice."""
    found = [justification_of(slug, mutant) for mutant in survived]
    justified = sum(known is not None and not known.is_pending for known in found)
    pending = sum(known is not None and known.is_pending for known in found)
    killed, left = killers.total(), len(survived) - justified - pending
    by = ", ".join(f"{name} {count}" for name, count in killers.most_common())
    share = 100 * killed / (killed + pending + left)
    return f"{slug}: {share:.1f} % ({killed} killed: {by}; {justified} justified, {pending} pending, {left} left)"


def _survivor_lines(survivors: list[tuple[str, Mutant]]) -> list[str]:
    """Survivors of each pack, grouped by schema path, with their justification."""
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for slug, mutant in survivors:
        groups.setdefault((slug, mutant.schema), []).append(mutant)
    lines = []
    for (slug, schema), mutants in groups.items():
        lines.append(f"{slug}  {schema}  ({len(mutants)})")
        for mutant in mutants:
            known = justification_of(slug, mutant)
            why = "" if known is None or known.is_pending else f"  [{known.because}]"
            lines.append(f"    {mutant.name}: {mutant.change}{why}")
    return lines
