"""Compares the settlements recomputed from the files with the verdicts in the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from compliance.analysis.parquet import schema
from compliance.analysis.parquet.audit_verdicts import WagerFinding, WagerKey
from compliance.analysis.parquet.read_folder import ExportFolder, open_folder, read_payouts
from compliance.analysis.parquet.recompute import PayoutTable, RecomputedTotals, WrongSettlement, recompute
from compliance.analysis.parquet.settlement_basis import BY_ODDS


@dataclass(frozen=True)
class SettlementDifference:
    """A settlement that is not what the rules give. `code` is the audit's; None where it has no finding.

    `is_recomputed`: shown by the files themselves; otherwise only by the audit's verdict. `contradiction`: where the
    files disagree with what was recomputed; empty where they agree.
    """

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
class FolderAudit:
    """A folder, how much of it was recomputed, and what differs."""

    folder: ExportFolder
    recomputed: RecomputedTotals
    differences: list[SettlementDifference]

    @property
    def recomputed_count(self) -> int:
        return self.recomputed.ways[BY_ODDS]

    @property
    def contradiction_count(self) -> int:
        return sum(1 for each in self.differences if each.contradiction)


def audit_folder(path: Path) -> FolderAudit:
    folder = open_folder(path)
    recomputed = recompute(folder.part_files(schema.WAGERS), PayoutTable(read_payouts(folder)))
    found = _settlement_findings(folder)
    differences = sorted(_list_differences(recomputed.wrong, found), key=lambda each: (each.entry_index, each.wager))
    return FolderAudit(folder, recomputed, differences)


def _settlement_findings(folder: ExportFolder) -> dict[WagerKey, WagerFinding]:
    rows: list[dict[str, Any]] = []
    for part in folder.part_files(schema.FINDINGS):
        rows += pq.ParquetFile(part).read().to_pylist()
    found = (WagerFinding(**row) for row in rows)
    return {each.subject: each for each in found if each.is_about_money}


def _list_differences(
    wrong: list[WrongSettlement], found: Mapping[WagerKey, WagerFinding]
) -> Iterator[SettlementDifference]:
    left = dict(found)
    rounds: set[int] = set()
    for each in wrong:
        finding = left.pop((each.entry_index, each.wager), None)
        if finding is None and each.due_cents is None and (each.entry_index, "") in found:
            # The finding is about the whole round, and is reported once.
            rounds.add(each.entry_index)
            continue
        yield SettlementDifference(
            each.entry_index,
            each.table,
            each.wager,
            each.bet,
            each.stake_cents,
            finding.required_cents if finding and each.due_cents is None else each.due_cents,
            each.returned_cents,
            finding.code if finding else None,
            each.due_cents is not None,
            _contradiction_text(each, finding),
        )
    for finding in left.values():
        is_of_round = not finding.wager and finding.entry_index in rounds
        yield SettlementDifference(
            finding.entry_index,
            finding.table,
            finding.wager,
            "",
            None,
            finding.required_cents,
            finding.found_cents,
            finding.code,
            False,
            "" if is_of_round else "no wager in the files bears this finding",
        )


def _contradiction_text(wrong: WrongSettlement, finding: WagerFinding | None) -> str:
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
