"""Settles wagers given as JSON lines on stdin. Uses the shipped rule packs only: no casino, table or database."""

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter

from rounds.engine import EngineError
from rounds.rulebook.cli.settle_lines import RunTally, settle_lines, stream_lines
from rounds.rulebook.packs.formatting import exit_quietly_on_closed_pipe
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


class RawHelpFormatter(RawDescriptionHelpFormatter, DjangoHelpFormatter):
    """Keeps the line breaks of the help text, and lists the command's own options before Django's."""


class Command(BaseCommand):
    help = HELP
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        return super().create_parser(prog_name, subcommand, formatter_class=RawHelpFormatter, **kwargs)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            packs = shipped_packs()
        except EngineError as error:
            raise CommandError(error.message) from error
        if sys.stdin is None or sys.stdout is None:
            raise CommandError("Standard input or output is closed: expected lines to read and a place for answers.")
        answers = sys.stdout.buffer
        with exit_quietly_on_closed_pipe(), open(sys.stdin.fileno(), "rb", closefd=False) as source:
            lines = stream_lines(source, before_read=answers.flush)
            tally = settle_lines(packs, self._show_progress(lines), answers.write)
        if tally.failed:
            raise CommandError(_failure_summary(tally), returncode=SOME_LINES_FAILED)

    def _show_progress(self, lines: Iterable[bytes]) -> Iterable[bytes]:
        """Prints a line counter to stderr, if that is a terminal and neither stdin nor stdout is one."""
        if sys.stdin.isatty() or sys.stdout.isatty() or not self.stderr.isatty():
            return lines
        return self._count_lines(lines)

    def _count_lines(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        number = 0
        for number, line in enumerate(lines, start=1):
            if number % PROGRESS_EVERY == 0:
                self.stderr.write(f"\r{number:,} lines", ending="")
            yield line
        self.stderr.write(f"\r{number:,} lines")


def _failure_summary(tally: RunTally) -> str:
    return f"{tally.failed:,} of {tally.failed + tally.settled:,} lines could not be settled; each says why."
