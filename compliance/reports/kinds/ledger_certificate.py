"""Ledger integrity certificate: what the log contains, what was signed, and the result of its verification."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.core.web.pdf.sections import LabelledValue, Section
from compliance.reports.document.assemble import assemble_document
from compliance.reports.document.audit_basis import build_basis
from compliance.reports.document.structure import IllustratedDocument
from rounds.ledger import entry_at, proofs, size_of, verify


def build(casino: Casino, chosen: Mapping[str, Any], now: datetime) -> IllustratedDocument:
    basis = build_basis(casino, [])
    size = size_of(casino.slug)
    # First and last entry of the checkpoint. The log can later be checked against both.
    ends = {0, size - 1} if size else set()
    return assemble_document(
        casino,
        now,
        title="Ledger integrity certificate",
        subject=f"The log of {casino.name} with {size:,} entries",
        sections=(
            verification_section(casino),
            _checkpoint_section(casino),
            _first_and_last_section(casino, sorted(ends)),
        ),
        basis=basis,
        entries=ends,
    )


def verification_section(casino: Casino) -> Section:
    last = verify.last_verification(casino.slug)
    if last is None:
        return Section(title="Verification", texts=("The log was never verified from its first entry.",))
    words = (
        f"The log was read again from its first entry up to entry {last.last_read:,}, and all that was computed from "
        "it was compared: leaves, tree, every stored checkpoint, and the records kept beside it."
    )
    verdict = "Everything fits." if last.is_whole else "It does not fit."
    facts = [LabelledValue("Verdict", verdict), LabelledValue("Verified", format_local(last.recorded_at, casino))]
    if last.first_issue is not None:
        facts.append(LabelledValue("First that does not fit", last.first_issue.sentence))
    if last.root is not None:
        facts.append(LabelledValue("Root recomputed", last.root.hex()))
    return Section(title="Verification", texts=(words,), facts=tuple(facts))


def _checkpoint_section(casino: Casino) -> Section:
    signed = proofs.newest_checkpoint(casino.slug)
    text = signed.note.decode() if signed else "No checkpoint was signed yet."
    return Section(title="The signed checkpoint, letter by letter", texts=tuple(text.splitlines()))


def _first_and_last_section(casino: Casino, indexes: list[int]) -> Section:
    facts = []
    for index in indexes:
        entry = entry_at(casino.slug, index)
        if entry is not None:
            words = f"{entry.kind}, recorded {format_local(entry.recorded_at, casino)}, hash {entry.leaf_sha256.hex()}"
            facts.append(LabelledValue(f"Entry {index:,}", words))
    return Section(title="First and last entry", facts=tuple(facts))
