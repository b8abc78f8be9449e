"""Entry kinds of samples and checklists. The audit does not evaluate them."""

from rounds.ledger import register_kind, register_rows

SEEDED = register_kind("sample-seeded", "What a sample of rounds is drawn from, and the seed, before it is drawn.").name
DRAWN = register_kind("sample-drawn", "Which rounds the seed of a sample drew.").name
CHECKED = register_kind("sample-round-checked", "An inspector looked at a sampled round and judged it again.").name
BEGUN = register_kind("checklist-begun", "An inspector began to go through a rule version clause by clause.").name
ANSWERED = register_kind("checklist-answer", "The answer to one clause of a checklist, as it was signed off.").name
SIGNED = register_kind("checklist-signed", "A checklist was signed off with all its answers, and is frozen.").name


def register_kinds() -> None:
    from compliance.inspection.checklists.models import Checklist, ClauseAnswer, Draw, RoundCheck, Sample, SignOff

    register_rows(SEEDED, Sample.rows_between)
    register_rows(DRAWN, Draw.rows_between)
    register_rows(CHECKED, RoundCheck.rows_between)
    register_rows(BEGUN, Checklist.rows_between)
    register_rows(ANSWERED, ClauseAnswer.rows_between)
    register_rows(SIGNED, SignOff.rows_between)
