"""Import past rounds of a casino from NDJSON or CSV, each with its origin."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.core.accounts.models import Casino
from rounds.intake.services.import_rounds import COLUMNS, OPTIONAL_COLUMNS, UnreadableFile, import_rounds

MAX_PROBLEMS_PRINTED = 20


class Command(BaseCommand):
    help = (
        "Records past rounds from a file. NDJSON: one round a line, as controllers send it, without kind and sequence. "
        f"CSV: one row a wager, with the columns {', '.join(COLUMNS)}, and where they are needed "
        f"{', '.join(OPTIONAL_COLUMNS)}. Money is in cents, dice and cards are written 4-2-4, registered is yes or no. "
        "The same file again changes nothing. A file with a line that cannot be read is refused whole."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="ends in .ndjson, .jsonl or .csv")
        parser.add_argument("--casino", required=True, help="slug of the casino")
        parser.add_argument("--by", required=True, help="who answers for the import: a name or a staff number")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        casino = Casino.objects.filter(slug=options["casino"]).first()
        if casino is None:
            raise CommandError(f"There is no casino {options['casino']}.")
        if file.suffix not in (".csv", ".ndjson", ".jsonl"):
            raise CommandError("The file's name must end in .ndjson, .jsonl or .csv.")
        try:
            content = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        try:
            done = import_rounds(
                casino=casino,
                name=file.name,
                content=content,
                is_csv=file.suffix == ".csv",
                by=options["by"],
                now=timezone.now(),
            )
        except UnreadableFile as error:
            for problem in error.problems[:MAX_PROBLEMS_PRINTED]:
                self.stderr.write(problem)
            raise CommandError(str(error)) from error
        self.stdout.write(f"{done.recorded} rounds recorded, {done.known} were there before.")
