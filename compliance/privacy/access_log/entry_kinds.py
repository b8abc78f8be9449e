"""Entry kind of disclosures."""

from rounds.ledger import EntryKind

DISCLOSED = EntryKind(
    "disclosed",
    "Records disclosed",
    "{what}, {rows:number row rows}",
    "disclosures.Disclosure",
    meaning="A list, a file or records went out to somebody: what, how many rows, to whom.",
)
