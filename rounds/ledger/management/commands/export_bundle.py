"""Writes entries of a log into a new folder that can be verified offline."""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from rounds.ledger.export.bundle_writer import WrittenBundle
from rounds.ledger.export.export_entries import (
    end_index_before,
    export_range,
    export_selection,
    exportable_size,
    first_index_at,
)
from rounds.ledger.read_only import is_read_only
from rounds.ledger.readers.progress_bar import make_progress_bar
from rounds.ledger.storage import get_log, head_of
from rounds.transparency_log.errors import LedgerError


class Command(BaseCommand):
    help = "Write entries of a log, with the proofs that they are genuine, into a new folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path, help="a folder that is empty or not there yet")
        parser.add_argument("--log", metavar="SLUG", required=True, help="the casino's slug, or site")
        parser.add_argument("--casino", metavar="NAME", help="the casino's name, as the evidence gives it")
        parser.add_argument("--from", dest="start", metavar="N|TIME", help="first entry, or first moment")
        parser.add_argument("--to", dest="end", metavar="N|TIME", help="the entry, or moment, after the last")
        parser.add_argument("--only", metavar="INDEX,…", help="these entries alone, each with its own proof")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            written = self._export(options)
        except (LedgerError, OSError) as error:
            raise CommandError(str(error)) from error
        folder = options["folder"]
        self.stdout.write(
            f"Wrote {written.count:,} entries from {written.start} to {written.end - 1}, held to a checkpoint of "
            f"{written.size:,} entries. Check them with: python3 -I {folder / 'verify_bundle.py'} {folder}"
        )
        if is_read_only(options["log"]):
            self.stdout.write(_read_only_notice(options["log"], written.size))

    def _export(self, options: dict[str, Any]) -> WrittenBundle:
        log, start, end = options["log"], options["start"], options["end"]
        now = timezone.now()
        shared = {"log": log, "folder": options["folder"], "casino": options["casino"] or log, "now": now}
        shared["show_progress"] = make_progress_bar(self.stderr, log)
        if options["only"]:
            if start or end:
                raise CommandError("--only chooses single entries: leave --from and --to out.")
            return export_selection(indexes=_parse_indexes(options["only"]), **shared)
        first, last = 0, exportable_size(log, now)
        if start:
            first = int(start) if start.isdigit() else first_index_at(log, _parse_timestamp(start))
        if end:
            last = int(end) if end.isdigit() else end_index_before(log, _parse_timestamp(end))
        return export_range(first=first, last=last, **shared)


def _read_only_notice(log: str, size: int) -> str:
    notice = f"{log} is read-only: nothing was signed for this evidence, and nothing can be recorded."
    rest = head_of(get_log(log)).size - size
    return f"{notice} Its last {rest:,} entries, from {size} on, cannot be proved yet." if rest else notice


def _parse_indexes(text: str) -> list[int]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise CommandError("--only takes entry numbers with commas between them, such as 12,90,91.")
    return [int(part) for part in parts]


def _parse_timestamp(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text!r} is neither an entry number nor a time such as 2026-11-16T09:30Z.") from error
    if moment.tzinfo is None:
        raise CommandError(f"{text!r} does not say its time zone: write {text}Z for UTC, or {text}+11:00.")
    return moment
