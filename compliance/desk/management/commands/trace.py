"""Everything that mentions a round, in order."""

import json
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.accounts.models import Casino
from compliance.desk.telling import tell
from compliance.desk.tracing import entries_about
from compliance.web.moments import moment_text
from rounds.ledger.following import Recorded
from rounds.ledger.leaves import write_instant
from rounds.ledger.mentions import follow_mentions


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
        found = [(casino, entry) for casino in casinos for entry in self._about(casino, options)]
        if not found:
            raise CommandError(f"No entry mentions the round {options['round']!r}.")
        for casino, entry in found:
            self.stdout.write(as_json(entry) if options["json"] else "\n".join(as_text(casino, entry)))

    def _about(self, casino: Casino, options: dict[str, Any]) -> list[Recorded]:
        # What came in a moment ago is looked through first: a trace that leaves it out would be wrong.
        while follow_mentions(casino.slug):
            pass
        return entries_about(casino.slug, options["round"], options["table"])


def as_text(casino: Casino, entry: Recorded) -> Iterator[str]:
    told = tell(entry)
    table = f", table {entry.table}" if entry.table else ""
    yield f"{casino.slug}/{entry.index}  {moment_text(entry.recorded_at, casino)}  {told.title}{table}"
    if told.detail:
        yield f"    {told.detail}"
    if told.by:
        yield f"    {told.by}"


def as_json(entry: Recorded) -> str:
    told = tell(entry)
    traced = {
        "log": entry.log,
        "index": entry.index,
        "kind": entry.kind,
        "table": entry.table,
        "controller": entry.controller,
        "sequence": entry.sequence,
        "at": write_instant(told.at),
        "recorded_at": write_instant(entry.recorded_at),
        "leaf_sha256": entry.leaf_sha256.hex(),
        "what": told.title,
        "detail": told.detail,
        "by": told.by,
    }
    return json.dumps(traced, ensure_ascii=False)
