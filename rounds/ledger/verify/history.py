"""Results of verifications as entries: record them, read them, and find where the next verification continues.

A long log is verified in parts. Each part is an entry and says whether everything from entry 0 to its end matched.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, transaction

from rounds.ledger.entry import LogEntry, entry_from_row
from rounds.ledger.entry_kinds import VERIFIED
from rounds.ledger.models import Entry, Log, SignedCheckpoint
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.ledger.storage import get_log
from rounds.ledger.verify.issues import Issue, first_issue
from rounds.ledger.verify.verify_log import EMPTY_TREE, VerificationResult
from rounds.ledger.writing.append import Receipt, append, make_entry
from rounds.transparency_log.errors import LedgerError, NoteError
from rounds.transparency_log.formats.signed_note import open_checkpoint
from rounds.transparency_log.tree.merkle import TreeHead

SITE = "site"
VERIFY_INTERVAL = timedelta(hours=24)
# How many results in the site's log are searched for logs that could not record their own.
MAX_SITE_RESULTS = 200


@dataclass(frozen=True)
class RecordedVerification:
    """A recorded verification. ``is_whole``: everything from entry 0 up to `size` matched."""

    log: str
    recorded_at: datetime
    size: int
    root: bytes | None
    is_whole: bool
    is_complete: bool
    first_issue: Issue | None

    @property
    def last_read(self) -> int:
        return max(0, self.size - 1)


def record_verification(
    *, verdict: VerificationResult, now: datetime, after: RecordedVerification | None = None
) -> Receipt:
    """Record a result. ``after`` is the verification that this one continued; its issues still count.

    If the log is too damaged to accept an entry, the result is recorded in the site's log.
    """
    entry = make_entry(VERIFIED, _verification_body(verdict, after))
    try:
        with transaction.atomic():
            [receipt] = append(verdict.log, [entry], now)
    except (DatabaseError, LedgerError):
        if verdict.is_intact or verdict.log == SITE:
            raise
        with transaction.atomic():
            [receipt] = append(SITE, [entry], now)
    return receipt


def _verification_body(verdict: VerificationResult, after: RecordedVerification | None) -> dict[str, Any]:
    before = after.first_issue if after else None
    first = first_issue(one for one in (before, verdict.first_issue) if one)
    return {
        "log": verdict.log,
        "from": verdict.start,
        "size": verdict.size,
        "root": verdict.root.hex() if verdict.root is not None else None,
        "ok": verdict.is_intact and (after is None or after.is_whole),
        "complete": verdict.is_complete,
        "first_misfit": None if first is None else first.to_dict(),
        "misfits": verdict.issue_count,
        "checked": verdict.checked,
    }


def _parse_verification(entry: LogEntry) -> RecordedVerification:
    body = entry.content()
    first, root = body["first_misfit"], body["root"]
    return RecordedVerification(
        log=body["log"],
        recorded_at=entry.recorded_at,
        size=body["size"],
        root=None if root is None else bytes.fromhex(root),
        is_whole=body["ok"],
        is_complete=body["complete"],
        first_issue=None if first is None else Issue.from_dict(first),
    )


def last_verification(log: str) -> RecordedVerification | None:
    """The newest result for this log, from its own log or the site's."""
    results = _newest_verifications(get_log(log), log, limit=1)
    site = Log.objects.filter(slug=SITE).first()
    if log != SITE and site is not None:
        results += _newest_verifications(site, log, limit=MAX_SITE_RESULTS)[:1]
    return max(results, key=lambda one: one.recorded_at, default=None)


def _newest_verifications(where: Log, log: str, limit: int) -> list[RecordedVerification]:
    entries = Entry.objects.filter(log=where, kind=VERIFIED).order_by("-index")[:limit]
    results = (_parse_verification(entry_from_row(where.slug, entry)) for entry in entries)
    return [result for result in results if result.log == log]


def next_verification_start(
    log: str, now: datetime, begun_at: datetime | None = None
) -> tuple[TreeHead, RecordedVerification | None] | None:
    """Where the daily verification continues, and after which result; None if nothing is due.

    If entries are missing, the tree cannot be continued: the log is read from the start on the next day. A requested
    verification reads everything from entry 0; `begun_at` is when it began.
    """
    last = last_verification(log)
    if begun_at is not None and (last is None or last.recorded_at < begun_at):
        return EMPTY_TREE, None
    if last is not None and not last.is_complete and last.root is not None:
        return TreeHead(last.size, last.root), last
    is_due = last is None or now - last.recorded_at >= VERIFY_INTERVAL
    return (EMPTY_TREE, None) if is_due else None


def last_verified_checkpoint(log: str) -> tuple[TreeHead, RecordedVerification | None]:
    """The newest signed checkpoint within what was verified and matched; the empty tree if there is none.

    Only as reliable as the verifications before it: the daily one starts from entry 0 and does not use this.
    """
    stored_log = get_log(log)
    last = next((one for one in _newest_verifications(stored_log, log, limit=MAX_SITE_RESULTS) if one.is_whole), None)
    if last is None:
        return EMPTY_TREE, None
    signed = SignedCheckpoint.objects.filter(log=stored_log, size__lte=last.size, size__gt=0).order_by("-size").first()
    if signed is None:
        return EMPTY_TREE, None
    try:
        head = open_checkpoint(bytes(signed.note), verifier_key_for(log)).head
    except NoteError:
        return EMPTY_TREE, None
    return (head, last) if head.size <= last.size else (EMPTY_TREE, None)
