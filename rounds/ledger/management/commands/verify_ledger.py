"""Reads the ledger again: it is what was recorded, or the first entry that does not fit is named."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from rounds.ledger.errors import LedgerError
from rounds.ledger.following import every_log
from rounds.ledger.notes import VerifierKey
from rounds.ledger.progress import progress_bar
from rounds.ledger.sharing import every_processor
from rounds.ledger.verification import EMPTY, Verdict, verify_log
from rounds.ledger.verified import record_verification, since_last

CANNOT_VERIFY = 2
MOST_SHOWN = 10


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
            "--processes", metavar="N", type=int, default=every_processor(),
            help="how many processes share a long log; otherwise as many as there are processors",
        )  # fmt: skip
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
            self.stdout.write(json.dumps(_as_json(verdicts), indent=1))
        if not all(verdict.is_whole for verdict in verdicts):
            sys.exit(1)

    def _verify(self, options: dict[str, Any]) -> Iterator[Verdict]:
        logs = [options["log"]] if options["log"] else every_log()
        seen = [(f"the checkpoint in {path.name}", path.read_bytes()) for path in options["seen"]]
        for log in logs:
            begin, after = since_last(log) if options["since_last"] else (EMPTY, None)
            key = VerifierKey.parse(options["key"]) if options["key"] else None
            verdict = verify_log(
                log, begin=begin, key=key, seen=seen, show_progress=progress_bar(self.stderr, log),
                processes=options["processes"],
            )  # fmt: skip
            if options["record"]:
                record_verification(verdict=verdict, now=timezone.now(), after=after)
            if not options["json"]:
                self._say(verdict)
            yield verdict
        if not logs and not options["json"]:
            self.stdout.write("There are no logs yet.")

    def _say(self, verdict: Verdict) -> None:
        span = f"entries {verdict.start} to {verdict.size - 1}" if verdict.size > verdict.start else "no entries"
        checked = ", ".join(f"{what} {count:,}" for what, count in verdict.checked.items() if count)
        if verdict.is_whole:
            self.stdout.write(f"{verdict.log}: whole. Verified {span} ({checked or 'nothing new'}).")
            return
        self.stdout.write(f"{verdict.log}: DOES NOT FIT. Verified {span} ({checked}).")
        first, *others = verdict.misfits
        self.stdout.write(f"  First: {first.sentence}")
        for misfit in others[: MOST_SHOWN - 1]:
            self.stdout.write(f"  Also: {misfit.sentence}")
        if verdict.misfit_count > MOST_SHOWN:
            self.stdout.write(f"  And {verdict.misfit_count - MOST_SHOWN:,} more.")


def _as_json(verdicts: list[Verdict]) -> dict[str, Any]:
    return {"ok": all(verdict.is_whole for verdict in verdicts), "logs": [_one_as_json(one) for one in verdicts]}


def _one_as_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "log": verdict.log,
        "ok": verdict.is_whole,
        "from": verdict.start,
        "size": verdict.size,
        "root": verdict.root.hex() if verdict.root is not None else None,
        "checked": verdict.checked,
        "misfit_count": verdict.misfit_count,
        "first_misfit": None if verdict.first_misfit is None else verdict.first_misfit.as_record(),
        "misfits": [misfit.as_record() for misfit in verdict.misfits],
    }
