"""Restores a backup into an empty database, or recovers a base backup to an instant, and verifies the ledger."""

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.config.backups.point_in_time import prepare_recovery
from compliance.config.backups.postgres_programs import BackupFailed
from compliance.config.backups.restore import halt_every_log, restore_backup
from compliance.config.environment import PROJECT, read
from compliance.config.management.commands.backup import owner_address, superuser_password
from compliance.config.run import launcher
from compliance.config.run.embedded_servers import CannotStart
from rounds.ledger import every_log, maintenance, read_only, verify, verify_log
from rounds.transparency_log.errors import LedgerError


class Command(BaseCommand):
    help = (
        "Restore BACKUP into an empty database, bring it up to this release and verify the ledger, which is read-only "
        "then until a person has said what was lost. Without DATABASE_URL an embedded server is started for it in "
        "DATA_DIR. Exit status 0: whole. 1: it does not fit."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", type=Path, metavar="BACKUP", nargs="?")
        parser.add_argument("--wal", type=Path, help="BACKUP is a base backup; recover it with the log in this folder")
        parser.add_argument("--until", type=datetime.fromisoformat, metavar="INSTANT", help="such as 2026-11-16T09:30Z")
        parser.add_argument(
            "--recovered", action="store_true", help="no BACKUP: the server recovered by itself; verify, and halt"
        )
        parser.add_argument(
            "--checkpoint",
            metavar="FILE",
            type=Path,
            action="append",
            default=[],
            help="a checkpoint that somebody kept: from a bundle, a report or a witness",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wal, until, files = options["wal"], options["until"], [path.resolve() for path in options["checkpoint"]]
        if bool(options["backup"]) == options["recovered"]:
            raise CommandError("Name a BACKUP, or say --recovered where the server recovered by itself.")
        if until is not None and (wal is None or until.tzinfo is None):
            raise CommandError("--until goes with --wal, and names its zone, such as 2026-11-16T09:30Z.")
        further = [f"--checkpoint={path}" for path in files]
        try:
            if wal is not None:
                self._recover_base_backup(options["backup"].resolve(), wal.resolve(), until, further)
            elif settings.IS_EMBEDDED and not read("DATABASE_URL"):
                what = str(options["backup"].resolve()) if options["backup"] else "--recovered"
                self._run_in_embedded_server("restore", what, *further)
            else:
                self._restore_backup(options["backup"], [path.read_bytes() for path in files])
        except (BackupFailed, CannotStart, LedgerError, OSError) as error:
            raise CommandError(str(error)) from error

    def _restore_backup(self, backup: Path | None, brought: list[bytes]) -> None:
        now = timezone.now()
        if backup is not None:
            self._print_verdicts(
                restore_backup(backup=backup.resolve(), owner=owner_address(), now=now, known_checkpoints=brought)
            )
            return
        verdicts = [verify_log(log, processes=verify.cpu_count()) for log in every_log()]
        halt_every_log(now=now, known_checkpoints=brought)
        self._print_verdicts(verdicts)

    def _recover_base_backup(self, base: Path, wal: Path, until: datetime | None, further: list[str]) -> None:
        if not settings.IS_EMBEDDED:
            raise CommandError("Your own server recovers by itself: the help page on backups has the lines for it.")
        cluster = superuser_password().parent / "cluster"
        prepare_recovery(base=base, wal=wal, cluster=cluster, until=until)
        (cluster / superuser_password().name).replace(superuser_password())
        self._run_in_embedded_server("restore", "--recovered", *further)

    def _run_in_embedded_server(self, *command: str) -> None:
        """In a child process, whose settings have the addresses of the server started for it."""
        folder = launcher.prepare_folder()
        with launcher.lock_data_folder(folder), launcher.running_servers(folder) as addresses:
            environment = os.environ | addresses | {"DATA_DIR": str(folder)}
            done = subprocess.run(  # noqa: S603 - our own command, its arguments a list
                [sys.executable, "manage.py", *command], cwd=PROJECT, env=environment, check=False
            )
        if done.returncode:
            sys.exit(done.returncode)

    def _print_verdicts(self, verdicts: list[verify.VerificationResult]) -> None:
        halted = read_only.halts_by_log()
        for verdict in verdicts:
            if verdict.first_issue is None:
                self.stdout.write(f"{verdict.log}: whole, {verdict.size:,} entries.")
            else:
                self.stdout.write(f"{verdict.log}: DOES NOT FIT. First: {verdict.first_issue.sentence}")
            self.stdout.write(f"  Read-only. {maintenance.HALT_REASONS[halted[verdict.log].reason]}")
        if not all(verdict.is_intact for verdict in verdicts):
            sys.exit(1)
        self.stdout.write(
            "Restored. Put the ledger's key and the environment in place, then start the service. It records nothing "
            "until a person with a second factor has said what was lost, log by log, on the page After a restore."
        )
