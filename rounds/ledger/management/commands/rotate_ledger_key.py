"""Rotates the key that signs the ledger: as routine, or because it may have leaked."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from rounds.ledger.maintenance.rotate_key import rotate_key
from rounds.ledger.signing.checkpoints import verifier_key_for
from rounds.transparency_log.errors import LedgerError


class Command(BaseCommand):
    help = (
        "Sign every log with a new key from now on. The old key vouches for it in a checkpoint that both sign; "
        "what it signed before still verifies, what it signs later does not."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reason", required=True, help="why; it stands in every log")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            retired = rotate_key(reason=options["reason"], now=timezone.now())
        except (LedgerError, OSError) as error:
            raise CommandError(str(error)) from error
        for one in retired:
            log = one.key.name.rpartition("/")[2]
            self.stdout.write(f"{log}: signed by a new key from entry {one.last_size} on: {verifier_key_for(log)}")
        self.stdout.write("Copy the new key and retired-keys.txt to where you keep them, and tell the inspectorate.")
