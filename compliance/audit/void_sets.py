"""Rounds that a shift manager's determination voids after they were settled, read from entries of the kind `void-set`.

Such an entry says {"table", "rounds": [entry indexes], "reason", "decided_by"} and, where stakes went back since,
"refunds": [{"round": entry index, "wager", "cents"}]. A second set on the same round adds its refunds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import structlog

from compliance.audit.models import PackedRound, VoidedRound
from compliance.audit.seen import VoidedBy
from rounds.ledger.following import Recorded

logger = structlog.get_logger(__name__)

KIND = "void-set"


def take_set(entry: Recorded) -> list[int]:
    """Keep which rounds an entry voids; their indexes. What it says that cannot be read voids nothing."""
    content = entry.content()
    named = {index for index in _list(content.get("rounds")) if _is_count(index)}
    known = PackedRound.objects.filter(log=entry.log, entry_index__in=named, table=content.get("table", ""))
    indexes = sorted(known.values_list("entry_index", flat=True))
    if len(indexes) != len(_list(content.get("rounds"))):
        logger.warning("void_set_names_other_rounds", log=entry.log, index=entry.index, known=len(indexes))
    refunds = _refunds(content)
    VoidedRound.objects.bulk_create(
        VoidedRound(
            log=entry.log, entry_index=index, set_index=entry.index, reason=str(content.get("reason", ""))[:50],
            refunds=refunds.get(index, {}),
        )
        for index in indexes
    )  # fmt: skip
    return indexes


def take_set_back(log: str, index: int) -> list[int]:
    """A determination that was taken back voids nothing any more; the rounds it had named."""
    rows = VoidedRound.objects.filter(log=log, set_index=index)
    indexes = sorted(rows.values_list("entry_index", flat=True))
    rows.delete()
    return indexes


def voided_among(log: str, indexes: Collection[int]) -> Mapping[int, VoidedBy]:
    """Of these rounds, those that were voided later. The first determination gives the reason. One query."""
    found: dict[int, VoidedBy] = {}
    rows = VoidedRound.objects.filter(log=log, entry_index__in=indexes).order_by("set_index")
    for row in rows:
        earlier = found.get(row.entry_index)
        refunds = dict(earlier.refunds) if earlier else {}
        for wager, cents in row.refunds.items():
            refunds[wager] = refunds.get(wager, 0) + cents
        reason = earlier.reason if earlier else row.reason
        found[row.entry_index] = VoidedBy((*(earlier.sets if earlier else ()), row.set_index), reason, refunds)
    return found


def _refunds(content: Mapping[str, Any]) -> dict[int, dict[str, int]]:
    """By round and wager."""
    found: dict[int, dict[str, int]] = {}
    for index, wager, cents in _stated_refunds(content):
        of_round = found.setdefault(index, {})
        of_round[wager] = of_round.get(wager, 0) + cents
    return found


def _stated_refunds(content: Mapping[str, Any]) -> Iterator[tuple[int, str, int]]:
    for one in _list(content.get("refunds")):
        if isinstance(one, Mapping) and _is_count(one.get("round")) and _is_count(one.get("cents")):
            yield one["round"], str(one.get("wager", "")), one["cents"]


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
