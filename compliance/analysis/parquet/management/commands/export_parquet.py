"""`manage.py export_parquet`: exports wagers and verdicts of gaming days as Parquet files into a new folder."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.core.accounts.models import Casino
from rounds.ledger import readers
from rounds.transparency_log.errors import LedgerError


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text!r} is no gaming day: write it like 2026-11-16.") from error


class Command(BaseCommand):
    help = "Write the wagers of some gaming days, with the audit's verdicts and the rules, as Parquet files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="DIR", type=Path, help="a folder that is empty or not there yet")
        parser.add_argument("--casino", metavar="SLUG", required=True)
        parser.add_argument("--from", dest="first", metavar="DAY", required=True, help="first gaming day")
        parser.add_argument("--to", dest="last", metavar="DAY", required=True, help="last gaming day, included")

    def handle(self, *args: Any, **options: Any) -> None:
        from compliance.analysis.parquet.export_days import export_days

        casino = Casino.objects.filter(slug=options["casino"]).first()
        if casino is None:
            known = ", ".join(Casino.objects.order_by("slug").values_list("slug", flat=True))
            raise CommandError(f"There is no casino {options['casino']!r}: expected one of {known}.")
        first, last = _parse_day(options["first"]), _parse_day(options["last"])
        if last < first:
            raise CommandError("--to must not be before --from.")
        try:
            done = export_days(
                casino=casino,
                first_day=first,
                last_day=last,
                folder=options["folder"].resolve(),
                now=timezone.now(),
                show_progress=readers.make_progress_bar(self.stderr, casino.slug),
            )
        except (LedgerError, OSError) as error:
            raise CommandError(str(error)) from error
        unread = f" The audit has not read the last {done.unread:,} entries of the log yet." if done.unread else ""
        self.stdout.write(
            f"Wrote {done.wagers:,} wagers of {done.rounds:,} rounds on {done.days:,} gaming days, held to a "
            f"checkpoint of {done.size:,} entries.{unread} SHA-256 of the manifest: {done.manifest_sha256}. "
            f"Check them with: python manage.py audit --parquet {options['folder']}"
        )
