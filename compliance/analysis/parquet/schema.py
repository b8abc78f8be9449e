"""The columns of the files. A change that readers would notice needs a new FORMAT_VERSION."""

from __future__ import annotations

from typing import Any

FORMAT_VERSION = "fairthrow-parquet/1"
WAGERS, FINDINGS, PAYOUTS, RULES, MANIFEST = "wagers", "findings", "payouts.parquet", "rules", "manifest.json"
TERMS_FILE = f"{RULES}/terms.json"
NO_OUTCOME = 0
RIGHT, WRONG, WAITING, UNGOVERNED = "right", "wrong", "waiting", "no rules"

# By column: type and description. The help page prints them.
ColumnDescription = dict[str, tuple[str, str]]
WAGER_COLUMNS: ColumnDescription = {
    "entry_index": ("int64", "Entry of the casino's log that reports the round."),
    "round": ("text", "The round, as its table names it."),
    "table": ("text", "The table."),
    "commenced_at": ("instant", "When the round commenced: what was in force then governs it."),
    "result_by": ("text", "dice or cards; empty where there is no result."),
    "outcome": ("int16", "The three faces in the order they lay, as one number: 424 is 4-2-4. 0: no result."),
    "wager": ("text", "The wager's own name within its round."),
    "player": ("text", "The player's pseudonym, if the table gave one."),
    "seat": ("int16", "The seat, if the table gave one."),
    "terminal": ("text", "The terminal, if it came from one."),
    "placed_at": ("instant", "When the wager was last touched."),
    "bet": ("text", "The box it lay on in the end."),
    "tender": ("text", "What was staked: value chips, credits and so on."),
    "stake_cents": ("int64", "What lay there in the end."),
    "verdict": ("text", "What the table said of it."),
    "returned_cents": ("int64", "What the table handed back, the stake included. None while it is open."),
    "later_cents": ("int64", "What came later: after a dispute, or because the round was declared void."),
    "rules": ("text", "The rule document in force."),
    "version": ("int32", "Its version at the casino."),
    "pack_sha256": ("text", "Digest of the rule pack: the file of that name in the folder rules."),
    "readings_sha256": ("text", "Digest of the adopted readings, as rules/terms.json has them."),
    "pay_table": ("text", "The pay table that governed there."),
    "terms": ("text", "Rules, boxes offered and odds posted together: the name of one of rules/terms.json."),
    "minimum_cents": ("int64", "The lowest wager at the table, on this box."),
    "maximum_cents": ("int64", "The highest, for one player on one box."),
    "odds_numerator": ("int32", "What its box pays at the result: so many, 0 where it loses,"),
    "odds_denominator": ("int32", "to so many."),
    "settled_by": ("text", "odds: by those alone. Otherwise what else decides, which only the audit can judge."),
    "due_cents": ("int64", "What the rules give for it. None where that is not known."),
    "audit": ("text", "The audit's verdict on its money: right, wrong, waiting (not audited), no rules."),
    "code": ("text", "The code of the finding about its money."),
    "findings": ("list of text", "The codes of every finding about the wager or its whole round."),
}
FINDING_COLUMNS: ColumnDescription = {
    "entry_index": ("int64", "Entry of the round."),
    "table": ("text", "The table."),
    "wager": ("text", "The wager; empty for a finding about the whole round."),
    "code": ("text", "The code, as the help page on findings lists it."),
    "is_about_money": ("yes or no", "Whether it says what a settlement should have been."),
    "clause": ("text", "The clause of the rule document."),
    "required_cents": ("int64", "What was due, where the rules say so."),
    "found_cents": ("int64", "What was handed back."),
}
PAYOUT_COLUMNS: ColumnDescription = {
    "terms": ("text", "The terms, as wagers name them."),
    "outcome": ("int16", "The result, as wagers name it."),
    "bet": ("text", "The box."),
    "numerator": ("int32", "What it pays: so many, 0 where it loses,"),
    "denominator": ("int32", "to so many."),
    "gives": ("int32", "Numerator and denominator together, 0 where it loses: what comes back for so many staked."),
}


def arrow_schema(columns: ColumnDescription, **about: str) -> Any:
    """Descriptions are stored in the metadata, so that the files document themselves."""
    # Imported late, because the web server imports this module for the help page only.
    import pyarrow as pa

    kinds = {
        "int16": pa.int16(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "text": pa.string(),
        "yes or no": pa.bool_(),
        "list of text": pa.list_(pa.string()),
        "instant": pa.timestamp("us", tz="UTC"),
    }
    fields = [pa.field(name, kinds[kind], metadata={"description": says}) for name, (kind, says) in columns.items()]
    return pa.schema(fields, metadata={"format": FORMAT_VERSION, **about})
