"""Entry kinds of samples and checklists. The audit does not evaluate them."""

from rounds.ledger import EntryKind

SEEDED = EntryKind(
    "sample-seeded",
    "Sample seeded",
    "{size:number round rounds}: {purpose}",
    "checklists.Sample",
    meaning="What a sample of rounds is drawn from, and the seed, before it is drawn.",
)
DRAWN = EntryKind(
    "sample-drawn",
    "Sample drawn",
    "{rounds:count} of {population} rounds",
    "checklists.Draw",
    meaning="Which rounds the seed of a sample drew.",
)
CHECKED = EntryKind(
    "sample-round-checked",
    "Sampled round checked",
    "Round of entry {round}: {verdict:words}",
    "checklists.RoundCheck",
    meaning="An inspector looked at a sampled round and judged it again.",
)
BEGUN = EntryKind(
    "checklist-begun",
    "Checklist begun",
    "{rules}, version {version}",
    "checklists.Checklist",
    meaning="An inspector began to go through a rule version clause by clause.",
)
ANSWERED = EntryKind(
    "checklist-answer",
    "Clause of a checklist answered",
    "{clause}: {verdict:words}",
    "checklists.ClauseAnswer",
    meaning="The answer to one clause of a checklist, as it was signed off.",
)
SIGNED = EntryKind(
    "checklist-signed",
    "Checklist signed off",
    "{conclusion}",
    "checklists.SignOff",
    meaning="A checklist was signed off with all its answers, and is frozen.",
)
