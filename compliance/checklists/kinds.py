"""The entries of samples and checklists. The audit never judges them."""

from rounds.ledger.kinds import register_kind
from rounds.ledger.recorded import register_record

SEEDED = register_kind("sample-seeded", "What a sample of rounds is drawn from, and the seed, before it is drawn.").name
DRAWN = register_kind("sample-drawn", "Which rounds the seed of a sample drew.").name
CHECKED = register_kind("sample-round-checked", "An inspector looked at a sampled round and judged it again.").name
BEGUN = register_kind("checklist-begun", "An inspector began to go through a rule version clause by clause.").name
ANSWERED = register_kind("checklist-answer", "The answer to one clause of a checklist, as it was signed off.").name
SIGNED = register_kind("checklist-signed", "A checklist was signed off with all its answers, and is frozen.").name


def register_records() -> None:
    from compliance.checklists.models import Checklist, ClauseAnswer, Draw, RoundCheck, Sample, SignOff

    register_record(SEEDED, Sample.recorded_between)
    register_record(DRAWN, Draw.recorded_between)
    register_record(CHECKED, RoundCheck.recorded_between)
    register_record(BEGUN, Checklist.recorded_between)
    register_record(ANSWERED, ClauseAnswer.recorded_between)
    register_record(SIGNED, SignOff.recorded_between)
