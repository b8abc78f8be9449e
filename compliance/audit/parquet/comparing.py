"""What was recomputed from the files, against the verdicts in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from compliance.audit.parquet import schema
from compliance.audit.parquet.folder import Folder, open_folder, read_payouts
from compliance.audit.parquet.recomputing import Payouts, Recomputed, Wrong, recompute
from compliance.audit.parquet.verdicts import Found, Subject
from compliance.audit.parquet.ways import ODDS


@dataclass(frozen=True)
class Difference:
    """A settlement that is not what the rules give. `code` is the audit's; None where it has none for it.

    `is_recomputed`: shown by the files; otherwise something decides that columns do not tell, and the audit says so.
    `contradiction`: in what the files do not agree with what was recomputed; empty where they do."""

    entry_index: int
    table: str
    wager: str
    bet: str
    stake_cents: int | None
    required_cents: int | None
    found_cents: int | None
    code: str | None
    is_recomputed: bool
    contradiction: str = ""


@dataclass(frozen=True)
class Audited:
    """A folder, how much of it was recomputed, and what differs."""

    folder: Folder
    recomputed: Recomputed
    differences: list[Difference]

    @property
    def by_odds(self) -> int:
        return self.recomputed.ways[ODDS]

    @property
    def contradictions(self) -> int:
        return sum(1 for each in self.differences if each.contradiction)


def audit_folder(path: Path) -> Audited:
    folder = open_folder(path)
    recomputed = recompute(folder.parts(schema.WAGERS), Payouts(read_payouts(folder)))
    found = _money_findings(folder)
    differences = sorted(_differences(recomputed.wrong, found), key=lambda each: (each.entry_index, each.wager))
    return Audited(folder, recomputed, differences)


def _money_findings(folder: Folder) -> dict[Subject, Found]:
    rows: list[dict[str, Any]] = []
    for part in folder.parts(schema.FINDINGS):
        rows += pq.ParquetFile(part).read().to_pylist()
    found = (Found(**row) for row in rows)
    return {each.subject: each for each in found if each.is_about_money}


def _differences(wrong: list[Wrong], found: Mapping[Subject, Found]) -> Iterator[Difference]:
    left = dict(found)
    rounds: set[int] = set()
    for each in wrong:
        finding = left.pop((each.entry_index, each.wager), None)
        if finding is None and each.due_cents is None and (each.entry_index, "") in found:
            # Found of the round as a whole, and told once.
            rounds.add(each.entry_index)
            continue
        yield Difference(
            each.entry_index, each.table, each.wager, each.bet, each.stake_cents,
            finding.required_cents if finding and each.due_cents is None else each.due_cents, each.returned_cents,
            finding.code if finding else None, each.due_cents is not None, _contradiction(each, finding),
        )  # fmt: skip
    for finding in left.values():
        is_of_round = not finding.wager and finding.entry_index in rounds
        yield Difference(
            finding.entry_index, finding.table, finding.wager, "", None, finding.required_cents, finding.found_cents,
            finding.code, False, "" if is_of_round else "no wager in the files bears this finding",
        )  # fmt: skip


def _contradiction(wrong: Wrong, finding: Found | None) -> str:
    due = wrong.due_cents
    if due is not None and wrong.due_as_written != due:
        return "the files give another amount as due"
    if wrong.code != (finding.code if finding else None):
        return "the wager and the list of findings do not say the same"
    if due is None:
        return "" if finding else "called wrong without a finding"
    if due == wrong.returned_cents:
        return "called wrong, although it is right"
    if wrong.audit == schema.WAITING:
        return ""
    if finding is None:
        return "the audit has no finding about it"
    if wrong.audit != schema.WRONG:
        return "called right, although it is wrong"
    same = (finding.required_cents, finding.found_cents) == (due, wrong.returned_cents)
    return "" if same else "the finding has other amounts"
