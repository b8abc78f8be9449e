"""One entry: its content, its position in the log, and the proof that it is unchanged."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.views.decorators.http import require_safe

from compliance.core.accounts.models import Casino
from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.errors import NotFound
from compliance.core.web.templatetags.ui import local
from compliance.core.web.ui.components import SummaryList, SummaryRow
from compliance.core.web.ui.links import casino_url
from compliance.transparency.ledger_pages.errors import NotSignedYet
from compliance.transparency.ledger_pages.selectors import EntrySlot, access_entry
from compliance.transparency.ledger_pages.views.common import readers_only
from rounds.ledger import EntryError, LogEntry, corrections_of, proofs, readers
from rounds.ledger import entry_kinds as ledger_kinds
from rounds.transparency_log import formats
from rounds.transparency_log.errors import LedgerError

# Longer bodies are cut on the page; the exact bytes can be downloaded.
MAX_DISPLAYED_BYTES = 100_000


@readers_only
@require_safe
def entry_detail(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    slot = access_entry(request.user, request.casino, index)
    context: dict[str, Any] = {
        "casino": request.casino,
        "place": slot,
        "previous": index - 1 if index else None,
        "next": index + 1 if index + 1 < slot.size else None,
        "taken_back_by": corrections_of(casino, [index]).get(index),
        "takes_back": readers.entry_corrected_by(casino, index),
    }
    if slot.entry is not None:
        context |= {
            "summary": _entry_summary(slot.entry, request.casino),
            "pretty": _pretty_body(slot.entry),
            "raw": _raw_body(slot.entry),
            "proof_text": _proof_text(casino, index),
        }
    return render(request, "ledger_pages/entry.html", context)


def _entry_summary(entry: LogEntry, casino: Casino) -> SummaryList:
    rows = [SummaryRow("Recorded", local(entry.recorded_at, casino)), *_kind_rows(entry)]
    if entry.table:
        rows.append(SummaryRow("Table", _search_link(casino, "table", entry.table, entry.table)))
    if entry.controller:
        rows.append(SummaryRow("Controller", f"{entry.controller}, its number {entry.sequence}"))
    for what, label in ((readers.ROUND, "Round"), (readers.PERSON, "People named")):
        # Prefer the id: "#17" sorts before any name, and equal words are shown once.
        terms = {term.words: term for term in sorted(readers.terms_in(entry), reverse=True) if term.what == what}
        if terms:
            links = ((_search_link(casino, what, term.value, words),) for words, term in sorted(terms.items()))
            rows.append(SummaryRow(label, format_html_join(", ", "{}", links)))
    rows.append(SummaryRow("Hash", format_html('<code class="copyable">{}</code>', entry.leaf_sha256.hex())))
    return SummaryList(rows)


def _kind_rows(entry: LogEntry) -> Iterator[SummaryRow]:
    kind = ledger_kinds.find_kind(entry.kind)
    meaning = kind.meaning if kind else "No part of the service knows this kind."
    yield SummaryRow("Kind", format_html('{}<br><span class="hint">{}</span>', entry.kind, meaning))
    if kind is None:
        return
    if kind.tag:
        yield SummaryRow("State", kind.tag)
    with suppress(EntryError):
        yield SummaryRow(kind.label, kind.summarize(entry.content()) or "No details")


def _search_link(casino: Casino, name: str, value: str, label: str) -> Any:
    return format_html('<a href="{}?{}">{}</a>', casino_url("evidence:ledger", casino), urlencode({name: value}), label)


def _pretty_body(entry: LogEntry) -> str:
    """The body as indented JSON; empty if it is not valid JSON any more."""
    try:
        return json.dumps(entry.content(), indent=2, ensure_ascii=False)[:MAX_DISPLAYED_BYTES]
    except EntryError:
        return ""


def _raw_body(entry: LogEntry) -> str:
    return _raw_leaf_or_readable_body(entry).decode("utf-8", "backslashreplace")[:MAX_DISPLAYED_BYTES]


def _raw_leaf_or_readable_body(entry: LogEntry) -> bytes:
    try:
        return proofs.leaf_bytes_of(entry)
    except EntryError:
        return entry.body


def _proof_text(log: str, index: int) -> str:
    try:
        return (proofs.make_proof_file(log, index) or b"").decode()
    except LedgerError:
        return ""


@readers_only
@require_safe
def check_entry(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    """Proves the entry from the stored bytes and shows every step."""
    slot = access_entry(request.user, request.casino, index)
    steps = proofs.prove_entry(casino, index)
    context = {
        "casino": request.casino,
        "place": slot,
        "steps": steps,
        "fits": all(step.fits for step in steps),
        "is_signed": steps[0].title != "Checkpoint",
        "is_known": all(step.is_known for step in steps),
    }
    return render(request, "ledger_pages/check.html", context)


@readers_only
@require_safe
def download_proof(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    access_entry(request.user, request.casino, index)
    try:
        content = proofs.make_proof_file(casino, index)
    except LedgerError as error:
        raise NotFound(
            f"The stored tree has a gap: {error.sentence}", remedy="Open the entry and have it checked."
        ) from error
    if content is None:
        raise NotSignedYet
    return _file_response(content, f"{casino}-{index}{formats.SUFFIX}", "text/plain; charset=utf-8")


@readers_only
@require_safe
def download_leaf(request: CasinoRequest, casino: str, index: int) -> HttpResponse:
    """The exact bytes that were hashed: header, newline, body."""
    slot: EntrySlot = access_entry(request.user, request.casino, index)
    if slot.entry is None:
        raise NotFound
    return _file_response(_raw_leaf_or_readable_body(slot.entry), f"{casino}-{index}.leaf", "application/octet-stream")


def _file_response(content: bytes, name: str, content_type: str) -> HttpResponse:
    return HttpResponse(
        content, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
