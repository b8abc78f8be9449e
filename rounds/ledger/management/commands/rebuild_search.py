"""Rebuilds the search index (which rounds and people the entries name) from the log."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rounds.ledger.readers.search_index import rebuild_index
from rounds.ledger.storage import every_log
from rounds.transparency_log.errors import LedgerError


class Command(BaseCommand):
    help = "Forget what the search knows of rounds and people, and derive it again from the entries."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--log", metavar="SLUG", help="one log (a casino's slug, or site); otherwise all of them")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for log in [options["log"]] if options["log"] else every_log():
                rebuild_index(log)
                self.stdout.write(f"{log}: derived again.")
        except LedgerError as error:
            raise CommandError(str(error)) from error
