"""The columns of the files. A change that a reader would notice gives FORMAT another number."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

FORMAT = "fairthrow-parquet/1"
WAGERS, FINDINGS, PAYOUTS, RULES, MANIFEST = "wagers", "findings", "payouts.parquet", "rules", "manifest.json"
TERMS = f"{RULES}/terms.json"
# In the place of a number that there is none of.
NO_TERMS, NO_OUTCOME = -1, 0
RIGHT, WRONG, WAITING, UNGOVERNED = "right", "wrong", "waiting", "no rules"

_INSTANT = pa.timestamp("us", tz="UTC")
WAGER_COLUMNS: dict[str, tuple[Any, str]] = {
    "entry_index": (pa.int64(), "Entry of the casino's log that reports the round."),
    "round": (pa.string(), "The round, as its table names it."),
    "table": (pa.string(), "The table."),
    "commenced_at": (_INSTANT, "When the round commenced: what was in force then governs it."),
    "result_by": (pa.string(), "dice or cards; empty where there is no result."),
    "outcome": (pa.int16(), "The three faces in the order they lay, as one number: 424 is 4-2-4. 0: no result."),
    "wager": (pa.string(), "The wager's own name within its round."),
    "player": (pa.string(), "The player's pseudonym, if the table gave one."),
    "seat": (pa.int16(), "The seat, if the table gave one."),
    "terminal": (pa.string(), "The terminal, if it came from one."),
    "placed_at": (_INSTANT, "When the wager was last touched."),
    "bet": (pa.string(), "The box it lay on in the end."),
    "tender": (pa.string(), "What was staked: value chips, credits and so on."),
    "stake_cents": (pa.int64(), "What lay there in the end."),
    "verdict": (pa.string(), "What the table said of it."),
    "returned_cents": (pa.int64(), "What the table handed back, the stake included. None while it is open."),
    "later_cents": (pa.int64(), "What came later: after a dispute, or because the round was declared void."),
    "rules": (pa.string(), "The rule document in force."),
    "version": (pa.int32(), "Its version at the casino."),
    "pack_sha256": (pa.string(), "Digest of the rule pack: the file of that name in the folder rules."),
    "readings_sha256": (pa.string(), "Digest of the adopted readings, as rules/terms.json has them."),
    "pay_table": (pa.string(), "The pay table that governed there."),
    "terms": (pa.int16(), "Rules, boxes offered and odds posted together: a number of rules/terms.json. -1: none."),
    "minimum_cents": (pa.int64(), "The lowest wager at the table."),
    "maximum_cents": (pa.int64(), "The highest, for one player on one box."),
    "odds_numerator": (pa.int32(), "What its box pays at the result: so many, 0 where it loses,"),
    "odds_denominator": (pa.int32(), "to so many."),
    "settled_by": (pa.string(), "odds: by those alone. Otherwise what else decides, which only the audit can judge."),
    "due_cents": (pa.int64(), "What the rules give for it. None where that is not known."),
    "audit": (pa.string(), "The audit's verdict on its money: right, wrong, waiting (not audited), no rules."),
    "code": (pa.string(), "The code of the finding about its money."),
    "findings": (pa.list_(pa.string()), "The codes of every finding about the wager or its whole round."),
}
FINDING_COLUMNS: dict[str, tuple[Any, str]] = {
    "entry_index": (pa.int64(), "Entry of the round."),
    "table": (pa.string(), "The table."),
    "wager": (pa.string(), "The wager; empty for a finding about the whole round."),
    "code": (pa.string(), "The code, as the help page on findings lists it."),
    "is_about_money": (pa.bool_(), "Whether it says what a settlement should have been."),
    "clause": (pa.string(), "The clause of the rule document."),
    "required_cents": (pa.int64(), "What was due, where the rules say so."),
    "found_cents": (pa.int64(), "What was handed back."),
}
PAYOUT_COLUMNS: dict[str, tuple[Any, str]] = {
    "terms": (pa.int16(), "The terms, as wagers name them."),
    "outcome": (pa.int16(), "The result, as wagers name it."),
    "bet": (pa.string(), "The box."),
    "numerator": (pa.int32(), "What it pays: so many, 0 where it loses,"),
    "denominator": (pa.int32(), "to so many."),
    "gives": (pa.int32(), "Numerator and denominator together, 0 where it loses: what comes back for so many staked."),
}


def schema_of(columns: dict[str, tuple[Any, str]], **about: str) -> Any:
    """With what each column says in its metadata, so that the files explain themselves."""
    fields = [pa.field(name, kind, metadata={"description": says}) for name, (kind, says) in columns.items()]
    return pa.schema(fields, metadata={"format": FORMAT, **about})
