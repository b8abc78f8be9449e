"""Creates a casino and invites its first administrator, and the two of the government who give government roles."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.core.accounts.services import bootstrap_casino
from compliance.core.web.errors import Refusal
from compliance.core.web.pdf.signer import make_report_key
from compliance.notify.webhooks.delivery.message_signature import make_first_key
from compliance.reports.signing_certificates import REASON_FIRST_START, record_certificate_in_all_logs
from rounds.ledger import every_log, signing


class Command(BaseCommand):
    help = "Make a casino and print the links by which its first administrators set a password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--slug", required=True, help="short name in addresses and in the ledger, for ever")
        parser.add_argument("--name", required=True, help="full name, as printed on reports")
        parser.add_argument("--time-zone", required=True, help="such as Australia/Sydney")
        parser.add_argument("--administrator", required=True, metavar="EMAIL", help="first administrator's e-mail")
        parser.add_argument(
            "--government-administrators",
            required=True,
            nargs=2,
            metavar="EMAIL",
            help="two people of the inspectorate, who alone give government roles at this casino",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        is_first = set(every_log()) <= {"site"}
        try:
            links = bootstrap_casino(
                slug=options["slug"],
                name=options["name"],
                time_zone=options["time_zone"],
                administrator_email=options["administrator"],
                government_emails=options["government_administrators"],
                now=timezone.now(),
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except Refusal as refusal:
            raise CommandError(refusal.full_message) from refusal
        if is_first:
            # Only for the first casino: later a missing key is a fault to repair, and a new key would hide it.
            signing.create_key_file(settings.LEDGER_KEY_FILE)
            make_report_key(settings.REPORT_KEY_FILE, timezone.now())
            record_certificate_in_all_logs(timezone.now(), REASON_FIRST_START)
        make_first_key()
        self.stdout.write(f"{options['name']} is ready. Its first administrators open these links within seven days:")
        for email, link in links.items():
            self.stdout.write(f"{email}: {link}")
