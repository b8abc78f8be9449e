"""Restores a backup into an empty database, or recovers a base backup to an instant, and verifies the ledger."""

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.config import serve
from compliance.config.backups.point_in_time import recover_cluster
from compliance.config.backups.programs import BackupFailed
from compliance.config.backups.restoring import restore_backup
from compliance.config.environment import PROJECT, read
from compliance.config.management.commands.backup import owner_address, superuser_password
from compliance.config.servers import CannotStart
from rounds.ledger.errors import LedgerError
from rounds.ledger.verification import Verdict


class Command(BaseCommand):
    help = (
        "Restore BACKUP into an empty database, bring it up to this release and verify the ledger. Without "
        "DATABASE_URL an embedded server is started for it in DATA_DIR. Exit status 0: whole. 1: it does not fit."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", type=Path, metavar="BACKUP")
        parser.add_argument("--wal", type=Path, help="BACKUP is a base backup; recover it with the log in this folder")
        parser.add_argument("--until", type=datetime.fromisoformat, metavar="INSTANT", help="such as 2026-11-16T09:30Z")

    def handle(self, *args: Any, **options: Any) -> None:
        backup, wal, until = options["backup"].resolve(), options["wal"], options["until"]
        if until is not None and (wal is None or until.tzinfo is None):
            raise CommandError("--until goes with --wal, and names its zone, such as 2026-11-16T09:30Z.")
        try:
            if wal is not None:
                self._recover(backup, wal.resolve(), until)
            elif settings.IS_EMBEDDED and not read("DATABASE_URL"):
                self._in_embedded_server("restore", str(backup))
            else:
                self._say(restore_backup(backup=backup, owner=owner_address()))
        except (BackupFailed, CannotStart, LedgerError, OSError) as error:
            raise CommandError(str(error)) from error

    def _recover(self, base: Path, wal: Path, until: datetime | None) -> None:
        if not settings.IS_EMBEDDED:
            raise CommandError("Your own server recovers by itself: the help page on backups has the lines for it.")
        cluster = superuser_password().parent / "cluster"
        recover_cluster(base=base, wal=wal, cluster=cluster, until=until)
        (cluster / superuser_password().name).replace(superuser_password())
        self._in_embedded_server("verify_ledger")

    def _in_embedded_server(self, *command: str) -> None:
        """In a process of its own, whose settings know the server that was started for it."""
        folder = serve.prepare_folder()
        with serve.only_one_run(folder), serve.servers(folder) as addresses:
            environment = os.environ | addresses | {"DATA_DIR": str(folder)}
            done = subprocess.run(  # noqa: S603 - our own command, its arguments a list
                [sys.executable, "manage.py", *command], cwd=PROJECT, env=environment, check=False
            )
        if done.returncode:
            sys.exit(done.returncode)

    def _say(self, verdicts: list[Verdict]) -> None:
        for verdict in verdicts:
            if verdict.first_misfit is None:
                self.stdout.write(f"{verdict.log}: whole, {verdict.size:,} entries.")
            else:
                self.stdout.write(f"{verdict.log}: DOES NOT FIT. First: {verdict.first_misfit.sentence}")
        if not all(verdict.is_whole for verdict in verdicts):
            sys.exit(1)
        self.stdout.write("Restored. Put the ledger's key and the environment in place, then start the service.")
