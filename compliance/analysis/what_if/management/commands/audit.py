"""`manage.py audit`: audits what waits in the foreground; with --what-if compares a version, with --parquet audits
files. The last two write nothing."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError

from compliance.analysis.what_if.compare_rules import FindingChange, compare_version, count_rounds_not_audited
from compliance.audit.models import Block, Coverage
from compliance.audit.run.worker import audit_log
from compliance.core.accounts.models import Casino
from rounds.engine.money import format_cents
from rounds.rulebook.models import RuleVersion

NO_UPPER_BOUND = 2**62
Key = TypeVar("Key")


def _add_to_total(sums: dict[Key, tuple[int, int]], key: Key, cents: int) -> None:
    count, before = sums.get(key, (0, 0))
    sums[key] = (count + 1, before + cents)


class Command(BaseCommand):
    help = (
        "Audits whatever waits. With --what-if, says what a version would change in history; with --parquet, "
        "recomputes the settlements in files of export_parquet. Both write nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--casino", help="The slug of one casino; without it, every casino.")
        parser.add_argument("--from", dest="first", type=int, default=0, help="Only entries from this index on.")
        parser.add_argument(
            "--to", dest="last", type=int, default=NO_UPPER_BOUND, help="Only entries before this index."
        )
        parser.add_argument("--what-if", metavar="SLUG@V", help="Try this version over all that was audited.")
        parser.add_argument("--parquet", metavar="DIR", type=Path, help="Audit this folder, without the database.")
        parser.add_argument("--json", action="store_true", help="One JSON object a line.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["parquet"] is not None:
            self._audit_parquet(options)
            return
        casinos = Casino.objects.order_by("slug")
        if options["casino"]:
            casinos = casinos.filter(slug=options["casino"])
            if not casinos:
                known = ", ".join(Casino.objects.order_by("slug").values_list("slug", flat=True))
                raise CommandError(f"There is no casino {options['casino']!r}: expected one of {known}.")
        if options["first"] < 0 or options["last"] <= options["first"]:
            raise CommandError("--from must be 0 or more, and --to above it.")
        for casino in casinos:
            lines = (
                self._compare_version(casino, options) if options["what_if"] else self._audit_casino(casino, options)
            )
            for text, record in lines:
                self.stdout.write(json.dumps(record) if options["json"] else text)

    def _audit_parquet(self, options: dict[str, Any]) -> None:
        # pyarrow takes a quarter of a second to import.
        from compliance.analysis.parquet import cli_output

        if options["casino"] or options["what_if"] or options["first"] or options["last"] != NO_UPPER_BOUND:
            raise CommandError("--parquet audits what lies in the folder: leave the other options out, but for --json.")
        for text, record in cli_output.output_lines(options["parquet"]):
            self.stdout.write(json.dumps(record) if options["json"] else text)

    def _audit_casino(self, casino: Casino, options: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        rounds = wagers = findings = 0
        for coverage in audit_log(casino, within=(options["first"], options["last"])):
            rounds, wagers = rounds + coverage.rounds, wagers + coverage.wagers
            findings += coverage.findings
            yield self._coverage_text(coverage), {"casino": casino.slug, **coverage.entry_body()}
        left = Block.objects.filter(log=casino.slug).waiting().count()
        text = f"{casino.slug}: {rounds:,} rounds, {wagers:,} wagers, {findings:,} findings."
        done = {"casino": casino.slug, "rounds": rounds, "wagers": wagers, "findings": findings, "waiting": left}
        yield text + (f" {left:,} stretches still wait." if left else ""), done

    @staticmethod
    def _coverage_text(coverage: Coverage) -> str:
        return f"{coverage.log}: entries {coverage.first:,} to {coverage.last - 1:,}, {coverage.findings:,} findings."

    def _compare_version(self, casino: Casino, options: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        version = self._find_version(casino, options["what_if"])
        by_table: dict[str, tuple[int, int]] = {}
        by_bet: dict[tuple[str, str], tuple[int, int]] = {}
        for difference in compare_version(casino, version, options["first"], options["last"]):
            table, cents = difference.draft.table, difference.at_stake_cents
            _add_to_total(by_table, table, cents)
            if difference.bet:
                _add_to_total(by_bet, (table, difference.bet), cents)
            yield self._difference_line(difference)
        for (table, bet), (count, cents) in sorted(by_bet.items()):
            text = f"{table}, {bet}: {count:,} would be judged otherwise; {format_cents(cents)} more due."
            yield text, {"table": table, "bet": bet, "differences": count, "at_stake_cents": cents}
        for table, (count, cents) in sorted(by_table.items()):
            text = f"{table}: {count:,} would be judged otherwise; {format_cents(cents)} more due."
            yield text, {"table": table, "differences": count, "at_stake_cents": cents}
        count, at_stake = (sum(column) for column in zip(*by_table.values(), strict=True)) if by_table else (0, 0)
        more = format_cents(at_stake)
        text = f"{casino.slug}: {count:,} would be judged otherwise under {version} ({version.name}); {more} more due."
        left = count_rounds_not_audited(casino)
        text += f" {left:,} rounds wait to be audited and are not counted." if left else ""
        yield text, {"casino": casino.slug, "differences": count, "at_stake_cents": at_stake, "rounds_waiting": left}

    @staticmethod
    def _find_version(casino: Casino, name: str) -> RuleVersion:
        rules, _, number = name.partition("@")
        versions = RuleVersion.objects.filter(casino=casino, rules=rules)
        found = versions.filter(number=int(number)).first() if number.isdecimal() else None
        if found is None:
            known = ", ".join(f"{one.name} ({one})" for one in RuleVersion.objects.filter(casino=casino))
            raise CommandError(f"{casino.slug} has no version {name!r}: expected one of {known or 'none'}.")
        return found

    @staticmethod
    def _difference_line(difference: FindingChange) -> tuple[str, dict[str, Any]]:
        subject, now, then = difference.draft, difference.current_draft, difference.changed_draft
        record = {
            "entry": subject.index,
            "table": subject.table,
            "wager": subject.wager,
            "bet": difference.bet,
            "now": now.code if now else None,
            "then": then.code if then else None,
            "at_stake_cents": difference.at_stake_cents,
        }
        words = then.sentence if then else f"No longer found: {now.sentence}" if now else ""
        return f"{subject.table} entry {subject.index}: {words}", record
