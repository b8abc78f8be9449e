"""An entry that is not a round as text, for the dispute's pages, the PDF file and the letter. Entries are read by kind
and content only, because this app may not import the models of promotions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.disputes.entry_kinds import MATTER
from promotions.claims.entry_kinds import CLAIM
from promotions.terms.entry_kinds import TERMS
from rounds.engine.money import format_cents
from rounds.ledger import LogEntry
from rounds.ledger import entry_kinds as ledger_kinds

# Kinds offered to a patron who disputes a promotion, in this order.
DISPUTABLE_KINDS = (CLAIM, TERMS)
DECISION_LABELS = {"met": "Met", "denied": "Denied"}


@dataclass(frozen=True)
class SubjectText:
    """An entry that is not a round. `title` begins a line; `about` fits into a sentence: You complained about …"""

    entry: LogEntry
    title: str
    about: str
    facts: tuple[tuple[str, str], ...]


def read_subject_text(casino: Casino, entry: LogEntry) -> SubjectText:
    body = entry.content()
    facts = tuple(_fact_rows(casino, body))
    if entry.kind == CLAIM:
        words = f"claim C-{body['claim']} on “{body['prize']}”"
    elif entry.kind == TERMS:
        words = f"the terms of “{body['terms'].get('name', '')}”, version {body['version']}"
    elif entry.kind == MATTER:
        place = f" at table {entry.table}" if entry.table else ""
        words = f"a matter{place} of {format_local(datetime.fromisoformat(body['happened_at']), casino)}"
    else:
        kind = ledger_kinds.find_kind(entry.kind)
        meaning = kind.meaning.rstrip(".") if kind else entry.kind
        return SubjectText(entry, f"{meaning} (entry {entry.index:,})", f"entry {entry.index:,} of the ledger", facts)
    return SubjectText(entry, f"{words[:1].upper()}{words[1:]}", words, facts)


def _fact_rows(casino: Casino, body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "description" in body:
        yield "What it is about", str(body["description"])
    if "promotion" in body:
        yield "Promotion", f"P-{body['promotion']}"
    if "claim" in body:
        yield "Claim", f"C-{body['claim']}"
    if "version" in body:
        yield "Version of the terms", str(body["version"])
    if body.get("prize"):
        yield "Prize", str(body["prize"])
    if "value_cents" in body:
        yield "Value", format_cents(body["value_cents"])
    for name, words in (("claimed_at", "Claimed"), ("received_at", "Reached the Authority")):
        if body.get(name):
            yield words, format_local(datetime.fromisoformat(body[name]), casino)
    if body.get("decision") in DECISION_LABELS:
        yield "Decision", DECISION_LABELS[body["decision"]]
    for name, words in (("details", "Details of the claim"), ("reasons", "Reasons")):
        if body.get(name):
            yield words, str(body[name])
