"""Entry kind of evidence bundles."""

from rounds.ledger import EntryKind

BUNDLE_EXPORTED = EntryKind(
    "evidence-exported",
    "Evidence exported",
    "{entries:number entry entries}, checkpoint {checkpoint}",
    "evidence.Bundle",
    meaning="Somebody had entries of this log prepared to be taken away.",
)
