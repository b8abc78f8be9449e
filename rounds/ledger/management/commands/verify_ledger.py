"""Verifies the ledger: reads every entry again and reports the first that does not match."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from rounds.ledger.readers.progress_bar import make_progress_bar
from rounds.ledger.storage import every_log
from rounds.ledger.verify.history import last_verified_checkpoint, record_verification
from rounds.ledger.verify.process_pool import cpu_count
from rounds.ledger.verify.verify_log import EMPTY_TREE, VerificationResult, verify_log
from rounds.transparency_log.errors import LedgerError
from rounds.transparency_log.formats.signed_note import VerifierKey

CANNOT_VERIFY = 2
MAX_PRINTED_ISSUES = 10


class Command(BaseCommand):
    help = (
        "Read every entry again, recompute everything that follows from it, and compare. "
        "Exit status 0: whole. 1: something does not fit. 2: could not be verified."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--log", metavar="SLUG", help="one log (a casino's slug, or site); otherwise all of them")
        parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
        parser.add_argument(
            "--since-last",
            action="store_true",
            help="only from the last verified checkpoint on",
        )
        parser.add_argument(
            "--processes",
            metavar="N",
            type=int,
            default=cpu_count(),
            help="how many processes share a long log; otherwise as many as there are processors",
        )
        parser.add_argument("--record", action="store_true", help="record the result as an entry of the log")
        parser.add_argument("--key", metavar="KEY", help="the log's verifier key, where the signing key is not at hand")
        parser.add_argument(
            "--seen", metavar="FILE", type=Path, action="append", default=[], help="a checkpoint you kept; needs --log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["seen"] or options["key"]) and not options["log"]:
            raise CommandError("--seen and --key are about one log: name it with --log.", returncode=CANNOT_VERIFY)
        if options["processes"] < 1:
            raise CommandError("--processes is a number from 1 on.", returncode=CANNOT_VERIFY)
        try:
            verdicts = list(self._verify(options))
        except (LedgerError, OSError) as error:
            raise CommandError(str(error), returncode=CANNOT_VERIFY) from error
        except KeyboardInterrupt as error:
            raise CommandError("Stopped before the end: nothing is known yet.", returncode=CANNOT_VERIFY) from error
        if options["json"]:
            self.stdout.write(json.dumps(_verdicts_as_json(verdicts), indent=1))
        if not all(verdict.is_intact for verdict in verdicts):
            sys.exit(1)

    def _verify(self, options: dict[str, Any]) -> Iterator[VerificationResult]:
        logs = [options["log"]] if options["log"] else every_log()
        known_checkpoints = [(f"the checkpoint in {path.name}", path.read_bytes()) for path in options["seen"]]
        for log in logs:
            begin, after = last_verified_checkpoint(log) if options["since_last"] else (EMPTY_TREE, None)
            key = VerifierKey.parse(options["key"]) if options["key"] else None
            verdict = verify_log(
                log,
                begin=begin,
                key=key,
                known_checkpoints=known_checkpoints,
                show_progress=make_progress_bar(self.stderr, log),
                processes=options["processes"],
            )
            if options["record"]:
                record_verification(verdict=verdict, now=timezone.now(), after=after)
            if not options["json"]:
                self._print_verdict(verdict)
            yield verdict
        if not logs and not options["json"]:
            self.stdout.write("There are no logs yet.")

    def _print_verdict(self, verdict: VerificationResult) -> None:
        span = f"entries {verdict.start} to {verdict.size - 1}" if verdict.size > verdict.start else "no entries"
        checked = ", ".join(f"{what} {count:,}" for what, count in verdict.checked.items() if count)
        if verdict.is_intact:
            self.stdout.write(f"{verdict.log}: whole. Verified {span} ({checked or 'nothing new'}).")
            return
        self.stdout.write(f"{verdict.log}: DOES NOT FIT. Verified {span} ({checked}).")
        first, *others = verdict.issues
        self.stdout.write(f"  First: {first.sentence}")
        for issue in others[: MAX_PRINTED_ISSUES - 1]:
            self.stdout.write(f"  Also: {issue.sentence}")
        if verdict.issue_count > MAX_PRINTED_ISSUES:
            self.stdout.write(f"  And {verdict.issue_count - MAX_PRINTED_ISSUES:,} more.")


def _verdicts_as_json(verdicts: list[VerificationResult]) -> dict[str, Any]:
    return {"ok": all(verdict.is_intact for verdict in verdicts), "logs": [_verdict_as_json(one) for one in verdicts]}


def _verdict_as_json(verdict: VerificationResult) -> dict[str, Any]:
    return {
        "log": verdict.log,
        "ok": verdict.is_intact,
        "from": verdict.start,
        "size": verdict.size,
        "root": verdict.root.hex() if verdict.root is not None else None,
        "checked": verdict.checked,
        "misfit_count": verdict.issue_count,
        "first_misfit": None if verdict.first_issue is None else verdict.first_issue.to_dict(),
        "misfits": [issue.to_dict() for issue in verdict.issues],
    }
