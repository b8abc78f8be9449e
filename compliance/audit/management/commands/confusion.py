"""`manage.py confusion`: plays days with planted faults, audits them, and prints what was found by code and clause."""

import json
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from compliance.audit.clause_matrix import ClauseRow, rows_by_clause, totals_by_rules
from compliance.audit.detection_matrix import (
    DetectionRow,
    compare,
    findings_at_planted_tables,
    read_planted_faults,
)
from compliance.audit.models import Block
from compliance.audit.projections.rounds import CONSUMER
from compliance.audit.run.worker import audit_log, consume_new_entries
from compliance.audit.selectors import audit_progress
from compliance.core.accounts.models import Casino
from rounds.ledger import position_of, readers
from rounds.rulebook.packs.formatting import format_columns

DEFAULT_ROUNDS = 400
# Alerts of a running service reopen blocks for as long as people are told of what was planted.
TIMEOUT_SECONDS = 1_800
# The demo's past gaming day ended three days ago; rounds of two plays in one day would be audited together.
DAYS_BEFORE_DEMO = 5


class Command(BaseCommand):
    help = (
        "Plays whole days into the running service with every fault planted, and the violation cases of the rule packs "
        "at tables of their own; audits them, and prints code by code how many faults were found, missed, or reported "
        "in vain, and for each rule pack how many of its clauses were planted and found. Fails unless all were found "
        "and nothing else, and every clause that is bound to a check was planted. With "
        "--honest --in-process --rounds 60000 it looks for false findings in a million wagers of a table."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--truth", type=Path, metavar="FILE", help="compare with this truth; nothing is played then")
        add("--casino", help="with playing: the short name of one casino; default: every casino")
        add("--tables", help="with playing: short names of tables with commas; default: every table")
        add(
            "--rounds",
            type=int,
            default=DEFAULT_ROUNDS,
            help="with playing: rounds at each table (default %(default)s)",
        )
        add("--more-wagers", type=int, default=0, metavar="N", help="with playing: each player lays on N more boxes")
        add("--seed", type=int, default=1, help="with playing: the same seed plays the same rounds (default 1)")
        add(
            "--days-ago",
            type=int,
            default=DAYS_BEFORE_DEMO,
            help="with playing: days since the last day played, when nothing else was played (default %(default)s)",
        )
        add("--honest", action="store_true", help="with playing: plant nothing; whatever is found is then in vain")
        add("--in-process", action="store_true", help="with playing: send by a call instead of HTTP")
        add("--address", help="with playing: where the service is")
        add("--keys", type=Path, help="with playing: folder of the controllers' private keys")
        add(
            "--no-cases", action="store_true", help="with playing: leave the violation cases out, and clauses unplanted"
        )
        add("--details", action="store_true", help="say which faults were missed and which findings were in vain")
        add("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        truth = read_planted_faults(self._planted_fault_lines(options).splitlines())
        if not truth:
            raise CommandError("The truth is empty: expected a planted fault a line.")
        for casino in Casino.objects.filter(slug__in={planted.casino for planted in truth}):
            self._audit_casino(casino)
            self._print_coverage(casino)
        comparison = compare(truth, findings_at_planted_tables(truth))
        codes, clauses = comparison.rows_by_code(), [] if options["honest"] else rows_by_clause(comparison)
        if options["json"]:
            lines = [json.dumps(each) for rows in (codes, clauses) for each in (row.as_json() for row in rows)]
        else:
            lines = [*_code_lines(codes, has_details=options["details"]), *_clause_lines(clauses)]
        for line in lines:
            self.stdout.write(line)
        # A truth file may be of a few faults, and without cases most clauses are not planted.
        is_complete = not (options["truth"] or options["no_cases"])
        lacking = [row for row in clauses if row.missed or (is_complete and not row.planted)]
        if lacking or not all(row.is_correct for row in codes):
            sys.exit(1)

    @staticmethod
    def _audit_casino(casino: Casino) -> None:
        """Audits up to the current end of the log. Workers of a running service help, and may hold a block for a
        while."""
        consume_new_entries(casino.slug)
        behind = sum(
            one.entries for one in readers.consumer_lags() if (one.consumer, one.log) == (CONSUMER, casino.slug)
        )
        end, until = position_of(CONSUMER, casino.slug) + behind, monotonic() + TIMEOUT_SECONDS
        while True:
            for _ in audit_log(casino, within=(0, end)):
                pass
            waiting = Block.objects.filter(log=casino.slug, audited_to__lt=end).waiting()
            if position_of(CONSUMER, casino.slug) >= end and not waiting.exists():
                return
            if monotonic() > until:
                raise CommandError(f"The log of {casino.slug} was not audited within {TIMEOUT_SECONDS} s.")
            sleep(1)

    def _print_coverage(self, casino: Casino) -> None:
        so_far = audit_progress(casino)
        self.stderr.write(f"{casino.slug}: {so_far.rounds:,} rounds with {so_far.wagers:,} wagers are audited.")

    def _planted_fault_lines(self, options: dict[str, Any]) -> bytes:
        if options["truth"]:
            try:
                found: bytes = options["truth"].read_bytes()
            except OSError as error:
                raise CommandError(f"{error.strerror}: {error.filename}") from error
            return found
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "truth.ndjson"
            names = ("casino", "tables", "rounds", "more_wagers", "seed", "days_ago", "address", "keys", "in_process")
            given = {name: options[name] for name in names if options[name]}
            faults, cases = ("", False) if options["honest"] else ("all", not options["no_cases"])
            call_command("simulate", faults=faults, cases=cases, truth=path, stdout=self.stderr, **given)
            return path.read_bytes()


def _code_lines(rows: list[DetectionRow], *, has_details: bool) -> list[str]:
    lines = [f"{'Code':28}{'Planted':>8}{'Found':>8}{'Missed':>8}{'False':>8}"]
    for row in rows:
        lines.append(f"{row.code:28}{row.planted:8,}{row.found:8,}{len(row.missed):8,}{len(row.false):8,}")
        if has_details:
            lines += [f"    missed: {one.casino}/{one.table} line {one.sequence}: {one.says}" for one in row.missed]
            lines += [f"    false:  {one.casino}/{one.table} entry {one.index}: {one.sentence}" for one in row.false]
    planted, found = sum(row.planted for row in rows), sum(row.found for row in rows)
    false = sum(len(row.false) for row in rows)
    lines.append(f"Of {planted:,} faults, {found:,} were found; {false:,} findings were in vain.")
    return lines


def _clause_lines(rows: list[ClauseRow]) -> list[str]:
    """For each rule pack, numbers of clauses bound to a check; then the clauses that were missed or never planted."""
    if not rows:
        return []
    totals = list(totals_by_rules(rows))
    headings = ("rules", "checked", "planted", "by a fault", "by a case", "found", "missed")
    figures = [[each.rules, *map(str, each.figures)] for each in totals]
    lines = ["", format_columns(headings, figures, figures=frozenset(headings[1:]))]
    for each in totals:
        lines += [f"{each.rules}: missed {', '.join(each.missed)}"] if each.missed else []
        lines += [f"{each.rules}: never planted {', '.join(each.never_planted)}"] if each.never_planted else []
    return lines
