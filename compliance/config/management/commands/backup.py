"""Backs up the service while it runs. The help page /help/backup/ says what to do with the result."""

import shutil
import signal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.config.backups.backup import make_backup
from compliance.config.backups.point_in_time import make_base_backup, receive_wal
from compliance.config.backups.postgres_programs import BackupFailed
from compliance.config.environment import DatabaseAddress, database_address, read


class Command(BaseCommand):
    help = (
        "Back up the database and the files beside it into a new folder below FOLDER, while people work. "
        "The key that signs the ledger is not among them: keep it elsewhere."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, metavar="FOLDER")
        way = parser.add_mutually_exclusive_group()
        way.add_argument("--base", action="store_true", help="a base backup, for recovery to an instant")
        way.add_argument("--wal", action="store_true", help="receive the write-ahead log there until stopped")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            if options["wal"]:
                return self._receive_wal(folder)
            if options["base"]:
                made = make_base_backup(into=folder, replication=replication_address(), now=timezone.now())
                if settings.IS_EMBEDDED:
                    # The cluster stores only its hash; without the password the recovered server could not be started.
                    shutil.copy2(superuser_password(), made)
            else:
                made = make_backup(into=folder, owner=owner_address(), now=timezone.now())
        except (BackupFailed, OSError) as error:
            raise CommandError(str(error)) from error
        size = sum(path.stat().st_size for path in made.rglob("*") if path.is_file())
        self.stdout.write(f"{made} ({size / 2**20:,.1f} MiB)")
        self.stdout.write(files_not_included(is_base=options["base"]))
        return None

    def _receive_wal(self, folder: Path) -> None:
        self.stdout.write(f"Receiving the write-ahead log into {folder}. Ctrl-C stops it.")
        receiving = receive_wal(into=folder, replication=replication_address())
        # A shell starts background jobs with SIGINT ignored.
        for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
            signal.signal(asked_to_stop, signal.default_int_handler)
        try:
            if receiving.wait():
                raise CommandError("pg_receivewal stopped; its message is above.")
        except KeyboardInterrupt:
            receiving.send_signal(signal.SIGINT)
            receiving.wait()


def files_not_included(*, is_base: bool) -> str:
    """What the backup does not contain, so that the operator knows what else to keep."""
    files = f"the files below {settings.MEDIA_ROOT} and {settings.REPORTS_DIR}, " if is_base else ""
    keys = f"{settings.LEDGER_KEY_FILE}, {settings.WEBHOOK_KEY_FILE} and {settings.REPORT_KEY_FILE}"
    return f"Not in it: {files}the keys {keys}, and the environment."


def owner_address() -> DatabaseAddress:
    if not read("DATABASE_OWNER_URL"):
        raise BackupFailed("DATABASE_OWNER_URL is not set: a backup is made by the owner of the tables.")
    return database_address(read("DATABASE_OWNER_URL"), "DATABASE_OWNER_URL")


def replication_address() -> DatabaseAddress:
    """The embedded server's superuser, or the role that the environment names."""
    if read("DATABASE_BACKUP_URL"):
        return database_address(read("DATABASE_BACKUP_URL"), "DATABASE_BACKUP_URL")
    password = superuser_password()
    if not settings.IS_EMBEDDED or not password.is_file():
        raise BackupFailed("DATABASE_BACKUP_URL is not set: name a role with REPLICATION there.")
    owner = owner_address()
    return DatabaseAddress("postgres", password.read_text().strip(), owner.host, owner.port, "postgres")


def superuser_password() -> Path:
    return Path(settings.DATA_DIR) / "postgres" / "superuser-password"
