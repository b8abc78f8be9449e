"""Settles wagers given as lines of JSON. It knows rule packs: no table, no casino and no database."""

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter

from rounds.engine.errors import EngineError
from rounds.rulebook.printing import quiet_when_the_reader_leaves
from rounds.rulebook.settling import Tally, lines_as_they_come, settle_lines
from rounds.rulepacks import shipped_packs

SOME_LINES_FAILED = 2
PROGRESS_EVERY = 10_000

HELP = """\
Settle wagers: one JSON object a line on standard input, one answer a line on standard output, in the same order.

  echo '{"rules":"rws-sic-bo-etg","pay_table":"1","dice":[2,3,3],"bet":"total:8","stake":100}' | manage.py settle

A line that cannot be settled is answered with {"error", "code", "line"} and the run goes on. Blank lines are passed
over, but counted. Each answer is written as soon as its line is read. The help page "Rule packs and settlement"
has every key and every error code.

Exit status 0: every line was settled. 1: the run did not finish. 2: at least one line was answered with an error.
"""


class HelpAsWritten(RawDescriptionHelpFormatter, DjangoHelpFormatter):
    """Keeps the line breaks of the text, and the command's own options first."""


class Command(BaseCommand):
    help = HELP
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(prog_name, subcommand, formatter_class=HelpAsWritten, **kwargs)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            packs = shipped_packs()
        except EngineError as error:
            raise CommandError(error.message) from error
        if sys.stdin is None or sys.stdout is None:
            raise CommandError("Standard input or output is closed: expected lines to read and a place for answers.")
        answers = sys.stdout.buffer
        with quiet_when_the_reader_leaves(), open(sys.stdin.fileno(), "rb", closefd=False) as asked:
            lines = lines_as_they_come(asked, before_waiting=answers.flush)
            tally = settle_lines(packs, self._with_progress(lines), answers.write)
        if tally.failed:
            raise CommandError(_shortfall(tally), returncode=SOME_LINES_FAILED)

    def _with_progress(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        """Counts aloud on a terminal, where the answers do not run past already."""
        if sys.stdin.isatty() or sys.stdout.isatty() or not self.stderr.isatty():
            return lines
        return self._counted(lines)

    def _counted(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        number = 0
        for number, line in enumerate(lines, start=1):
            if number % PROGRESS_EVERY == 0:
                self.stderr.write(f"\r{number:,} lines", ending="")
            yield line
        self.stderr.write(f"\r{number:,} lines")


def _shortfall(tally: Tally) -> str:
    return f"{tally.failed:,} of {tally.failed + tally.settled:,} lines could not be settled; each says why."
