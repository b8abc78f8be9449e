"""Rotates the key that signs PDF files, routinely or after a compromise."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.core.web.errors import Refusal
from compliance.reports.signing_certificates import record_certificate_in_all_logs, rotate_report_key, validate_reason


class Command(BaseCommand):
    help = (
        "Sign every PDF with a new key from now on, and record its certificate in every log. What the old key signed "
        "stays valid. Makes the first key too, where there is none."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reason", required=True, help="why; it stands in every log")
        parser.add_argument(
            "--keep-file", action="store_true", help="record the key that you put into REPORT_KEY_FILE; make none"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        reason, now = options["reason"], timezone.now()
        try:
            if options["keep_file"]:
                recorded = record_certificate_in_all_logs(now, validate_reason(reason))
                self.stdout.write(f"Recorded in {len(recorded)} logs.")
                return
            made = rotate_report_key(reason=reason, now=now)
        except (Refusal, OSError) as error:
            raise CommandError(getattr(error, "detail", "") or str(error)) from error
        self.stdout.write(f"PDF files are signed with a new key. Its certificate's SHA-256: {made.certificate_sha256}")
        self.stdout.write(
            "Copy the key file to every machine that signs and to where you keep it; tell the inspectorate."
        )
