"""Everything between installation and serving: migration, static files and, in demo mode, the demo."""

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from compliance.core.web.pdf.signer import make_report_key
from compliance.notify.webhooks.delivery.message_signature import make_first_key
from compliance.reports.signing_certificates import REASON_FIRST_START, record_certificate_in_all_logs
from rounds.ledger import open_log, signing


class Command(BaseCommand):
    help = "Migrate as the owner, collect static files and, in demo mode, load the demo and print its sign-ins."
    # The worker runs the system checks when it starts; running them here too would slow every start.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        collect_static_files(Path(settings.STATIC_ROOT))
        open_log("site", timezone.now())
        make_first_key()
        if settings.DEMO:
            signing.create_key_file(settings.LEDGER_KEY_FILE)
            make_report_key(settings.REPORT_KEY_FILE, timezone.now())
            call_command("demo")
            record_certificate_in_all_logs(timezone.now(), REASON_FIRST_START)
            call_command("demo", sign_ins=True, stdout=self.stdout)


def collect_static_files(folder: Path) -> None:
    """Only when a source file was added, removed or changed, because hashing and compressing takes seconds."""
    noted, found = folder / "collected-from", digest_of_static_files()
    if noted.exists() and noted.read_text() == found:
        return
    noted.unlink(missing_ok=True)
    call_command("collectstatic", verbosity=0, interactive=False)
    noted.write_text(found)


def digest_of_static_files() -> str:
    """Over every source file's name, size and modification time."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            about = Path(storage.path(name)).stat()
            digest.update(f"{storage.path(name)}\0{about.st_size}\0{about.st_mtime_ns}\n".encode())
    return digest.hexdigest()
