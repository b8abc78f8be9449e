"""Prints every entry that mentions a round, in log order."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from compliance.pages.timeline.entry_text import describe_entry
from compliance.pages.timeline.round_trace import entries_about_round
from rounds.ledger import LogEntry, encode_timestamp, readers


class Command(BaseCommand):
    help = "Print every entry that mentions a round, in the order of the log: what, when, by whom. Exit 1 if none does."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("round", metavar="ROUND", help="the round's id, as its controller gave it")
        parser.add_argument("--casino", metavar="SLUG", help="look in this casino's log alone")
        parser.add_argument("--table", metavar="SLUG", default="", help="leave out what is about other tables")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        casinos = Casino.objects.order_by("slug")
        if options["casino"]:
            casinos = casinos.filter(slug=options["casino"])
            if not casinos:
                raise CommandError(f"There is no casino {options['casino']!r}.")
        found = [(casino, entry) for casino in casinos for entry in self._find_entries(casino, options)]
        if not found:
            raise CommandError(f"No entry mentions the round {options['round']!r}.")
        for casino, entry in found:
            self.stdout.write(format_json(entry) if options["json"] else "\n".join(format_text(casino, entry)))

    def _find_entries(self, casino: Casino, options: dict[str, Any]) -> list[LogEntry]:
        # Bring the search index up to date first, so that the newest entries are not missing.
        while readers.index_new_entries(casino.slug):
            pass
        return entries_about_round(casino.slug, options["round"], options["table"])


def format_text(casino: Casino, entry: LogEntry) -> Iterator[str]:
    text = describe_entry(entry)
    table = f", table {entry.table}" if entry.table else ""
    yield f"{casino.slug}/{entry.index}  {format_local(entry.recorded_at, casino)}  {text.title}{table}"
    if text.detail:
        yield f"    {text.detail}"
    if text.by:
        yield f"    {text.by}"


def format_json(entry: LogEntry) -> str:
    text = describe_entry(entry)
    traced = {
        "log": entry.log,
        "index": entry.index,
        "kind": entry.kind,
        "table": entry.table,
        "controller": entry.controller,
        "sequence": entry.sequence,
        "at": encode_timestamp(text.at),
        "recorded_at": encode_timestamp(entry.recorded_at),
        "leaf_sha256": entry.leaf_sha256.hex(),
        "what": text.title,
        "detail": text.detail,
        "by": text.by,
    }
    return json.dumps(traced, ensure_ascii=False)
