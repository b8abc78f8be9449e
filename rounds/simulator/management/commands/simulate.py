"""Plays rounds into the service through its real API, honest or with planted faults."""

from __future__ import annotations

import os
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from compliance.core.accounts.models import Casino
from rounds.floor.models import Table
from rounds.ledger import size_of
from rounds.simulator.client.receipt_proofs import ProofFailed
from rounds.simulator.client.sender import BatchRefused
from rounds.simulator.delivery.casino_tables import (
    TableNotPlayable,
    controller_for_table,
    load_table_config,
    tables_of_casino,
)
from rounds.simulator.delivery.connection import (
    ServiceNotRunning,
    next_sequence,
    open_feed,
    state_path,
    wait_for_service,
)
from rounds.simulator.delivery.controller_feed import ControllerFeed, ServiceUnreachable
from rounds.simulator.delivery.controller_keys import KeyMissing
from rounds.simulator.delivery.simulation_run import PlayedDay, SimulationTotals, TruthFile, play_days, send_days
from rounds.simulator.delivery.table_lock import lock_table
from rounds.simulator.demo.demo_history import play_demo_history
from rounds.simulator.demo.live_floor import DiskNearlyFull, LiveFloor, open_live_table
from rounds.simulator.fault_selection import FaultSelection, UnknownFaultCode, select_faults
from rounds.simulator.people_faults.plant_records import PlayedTable, disputable_rounds, plant_records
from rounds.simulator.play.controller_output import PlantedFault
from rounds.simulator.play.gaming_days import default_first_day, random_stream, split_into_days
from rounds.simulator.violation_cases import open_case_floor, play_violation_cases

EXPECTED_ERRORS = (
    TableNotPlayable,
    ServiceNotRunning,
    KeyMissing,
    UnknownFaultCode,
    ServiceUnreachable,
    BatchRefused,
    ProofFailed,
    DiskNearlyFull,
)
# Faults of the demo's live floor: at least one for every rule set, and none that stops play.
DEMO_FAULTS = "SETTLE-UNDERPAID,SETTLE-OVERPAID,SETTLE-LOSER-PAID,WAGER-LATE,ROUND-CALLED,ROUND-PAID-FIRST,FEED-GAP"
DEMO_ONE_IN = 150
# The number of first rounds with a fault, so that there are findings from the first minute on.
DEMO_FIRST_FAULTS = 4
DEMO_PAUSE_SECONDS = 20
LIVE_ONE_IN = 20
SERVICE_WAIT_SECONDS = 3


def parse_instant(text: str) -> datetime:
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a date or a time, such as 2026-11-16T10:00+11:00") from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _collect_disputable_rounds(days: Iterable[PlayedDay], disputable: list[int]) -> Iterator[PlayedDay]:
    """Passes the days through; collects from the first one the rounds that can be disputed afterwards."""
    for played in days:
        disputable.extend(() if disputable else disputable_rounds(played))
        yield played


class Command(BaseCommand):
    help = "Play gaming days at the tables of a casino into the running service, and plant faults on request."

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("--casino", help="short name of the casino; default: every casino")
        add("--tables", default="", help="short names with commas; default: every table")
        add("--rounds", type=int, default=100, help="rounds at each table (default 100); with --live: in all")
        add("--more-wagers", type=int, default=0, metavar="N", help="each player lays on N more boxes (default 0)")
        add("--seed", type=int, default=1, help="the same seed plays the same rounds (default 1)")
        add("--start", type=parse_instant, help="first gaming day; default: so that the last one is over")
        add("--days-ago", type=int, default=0, help="without --start: the last gaming day ended so many days ago")
        add("--faults", default="", metavar="all|CODE,…", help="plant these; without it every table is honest")
        add(
            "--cases",
            action="store_true",
            help="play the violation cases of each rule pack too, each at a table of its own, which is then retired",
        )
        add("--truth", type=Path, metavar="FILE", help="write what was planted where, a line of JSON each")
        add("--live", action="store_true", help="play beside the clock until interrupted")
        add("--speed", type=float, default=1.0, help="with --live: how many times as fast as at a real table")
        add("--demo", action="store_true", help="the quiet floor of `make run`: live, few faults")
        add("--address", default=settings.OWN_ADDRESS, help="where the service is (default %(default)s)")
        add("--in-process", action="store_true", help="send by a call instead of HTTP; the server need not run")
        add("--pid-file", type=Path, help="write the process id there, for the launcher")
        add("--keys", type=Path, help="folder of the controllers' private keys; default: the demo's")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rounds"] < 1 or options["speed"] <= 0 or options["more_wagers"] < 0:
            raise CommandError("Rounds and speed are above nothing, and more wagers not below.")
        if options["pid_file"]:
            options["pid_file"].write_text(f"{os.getpid()}\n")
        play = self._play_demo if options["demo"] else self._run_simulation
        try:
            play(options)
        except EXPECTED_ERRORS as error:
            raise CommandError(
                str(error) or "The service stopped answering. Nothing is lost: play on later."
            ) from error
        except OSError as error:
            raise CommandError(f"{error.strerror}: {error.filename}") from error
        except KeyboardInterrupt:
            self.stderr.write("\nStopped.")

    def _run_simulation(self, options: dict[str, Any]) -> None:
        if options["in_process"]:
            options = {**options, "address": None}
        else:
            wait_for_service(options["address"], seconds=SERVICE_WAIT_SECONDS)
        if options["demo"]:
            play_demo_history(address=options["address"], keys=options["keys"], now=timezone.now())
        faults = select_faults(options["faults"])
        tables, truth = self._selected_tables(options), TruthFile(options["truth"])
        (self._play_live if options["live"] else self._play_days)(tables, faults, truth, options)

    def _play_demo(self, options: dict[str, Any]) -> None:
        """Runs beside the service at low priority. Errors pause it and never stop the service."""
        os.nice(10)
        options = {**options, "live": True, "faults": options["faults"] or DEMO_FAULTS}
        while True:
            try:
                self._run_simulation(options)
            except Exception as error:
                self.stderr.write(f"The demo's floor pauses: {error or type(error).__name__}")
            time.sleep(DEMO_PAUSE_SECONDS)

    def _selected_tables(self, options: dict[str, Any]) -> list[Table]:
        casinos = Casino.objects.order_by("slug")
        if options["casino"]:
            casinos = casinos.filter(slug=options["casino"])
        names = [name.strip() for name in options["tables"].split(",") if name.strip()]
        if names and not options["casino"]:
            raise TableNotPlayable("Say whose tables: --casino.")
        if not casinos:
            known = ", ".join(Casino.objects.order_by("slug").values_list("slug", flat=True)) or "none"
            raise TableNotPlayable(f"There is no casino {options['casino']}. Those there are: {known}.")
        return [table for casino in casinos for table in tables_of_casino(casino, names, timezone.now())]

    # Whole days

    def _play_days(
        self, tables: Sequence[Table], faults: FaultSelection, truth: TruthFile, options: dict[str, Any]
    ) -> None:
        """For each casino the days of its tables, then the faults in what its people record about them."""
        tally, began, sent, refused = SimulationTotals(), time.monotonic(), 0, 0
        for casino, of_casino in groupby(tables, key=lambda table: table.casino):
            played = []
            for table in of_casino:
                feed = open_feed(
                    table, controller_for_table(table, timezone.now()), address=options["address"], keys=options["keys"]
                )
                played.append(self._play_table(table, feed, faults, tally, truth, options))
                sent, refused = sent + feed.totals.lines, refused + feed.totals.set_aside
            cases = list(self._play_cases(casino, played, options)) if options["cases"] else []
            planted, without_room = plant_records(casino, played, faults.of_people, now=timezone.now())
            planted += cases
            tally.add_faults(planted)
            tally.tried_in_vain |= without_room
            truth.write(map(msgspec.json.encode, planted))
        self._print_progress("")
        self._print_totals(tally, sent, refused, time.monotonic() - began)

    def _play_table(
        self,
        table: Table,
        feed: ControllerFeed,
        faults: FaultSelection,
        tally: SimulationTotals,
        truth: TruthFile,
        options: dict[str, Any],
    ) -> PlayedTable:
        first_day, at = self._first_day(table, options)
        controller, disputable = controller_for_table(table, timezone.now()), list[int]()
        set_up = replace(load_table_config(table, at), more_wagers=options["more_wagers"])
        with lock_table(state_path(table).with_suffix(".lock"), waits=True):
            days = play_days(
                set_up,
                first_day=first_day,
                rounds=options["rounds"],
                seed=options["seed"],
                first=next_sequence(table, controller),
                injectors=faults.at_tables,
                tally=tally,
                log_size=lambda: size_of(table.casino.slug),
            )
            watch = self._progress_callback(tally, f"{table.casino.slug} {table.slug}")
            send_days(
                _collect_disputable_rounds(days, disputable), feed, table=table.slug, truth=truth, on_progress=watch
            )
        return PlayedTable(table, set_up, controller, first_day, disputable)

    def _play_cases(
        self, casino: Casino, played: Sequence[PlayedTable], options: dict[str, Any]
    ) -> Iterator[PlantedFault]:
        """The violation cases of the rules that were played, in the days up to the first on which they were."""
        floor = open_case_floor(casino, timezone.now())
        for rules, first_day in {one.set_up.pack.slug: one.first_day for one in reversed(played)}.items():
            self._print_progress(f"{casino.slug}, violation cases of {rules}")
            yield from play_violation_cases(floor, rules, first_day, address=options["address"])

    def _first_day(self, table: Table, options: dict[str, Any]) -> tuple[date, datetime]:
        """The first gaming day, and the instant in it at which the table's facts are read."""
        now = timezone.now()
        set_up = load_table_config(table, options["start"] or now)
        day = (
            set_up.gaming_day_at(options["start"])
            if options["start"]
            else default_first_day(set_up, now - timedelta(days=options["days_ago"]), options["rounds"])
        )
        last = day + timedelta(days=sum(1 for _ in split_into_days(options["rounds"])))
        if set_up.day_begins_at(last) > now + timedelta(days=1):
            raise TableNotPlayable(
                f"{options['rounds']:,} rounds from {day} on would end after {now:%Y-%m-%d}: start earlier."
            )
        return day, set_up.day_begins_at(day)

    def _progress_callback(self, tally: SimulationTotals, where: str) -> Callable[[int], None]:
        return lambda lines: self._print_progress(f"{where}, {tally.rounds:,} rounds, {tally.wagers:,} wagers")

    def _print_progress(self, text: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r\033[K{text}", ending="")

    def _print_totals(self, tally: SimulationTotals, sent: int, refused: int, seconds: float) -> None:
        self.stdout.write(
            f"Played {tally.rounds:,} rounds with {tally.wagers:,} wagers and planted {tally.planted:,} faults; "
            f"{sent:,} lines were receipted in {seconds:.1f} s."
        )
        if refused:
            self.stdout.write(f"{refused:,} lines were refused, as planted feed faults are, and lie in quarantine.")
        if tally.codes_not_planted:
            self.stdout.write(f"No room for: {', '.join(sorted(tally.codes_not_planted))}. Play more rounds.")

    # Live

    def _play_live(
        self, tables: Sequence[Table], faults: FaultSelection, truth: TruthFile, options: dict[str, Any]
    ) -> None:
        now, demo = timezone.now(), options["demo"]
        live = [
            open_live_table(
                table,
                now=now,
                address=options["address"],
                keys=options["keys"],
                seed=options["seed"],
                pace=options["speed"],
            )
            for table in tables
        ]
        floor = LiveFloor(
            live,
            injectors=faults.at_tables,
            one_in=DEMO_ONE_IN if demo else LIVE_ONE_IN,
            truth=truth,
            clock=timezone.now,
            sleep=time.sleep,
            rng=random_stream(options["seed"], now.isoformat()),
            first=DEMO_FIRST_FAULTS if demo else 0,
        )
        floor.start()
        if not demo:
            self.stderr.write(f"{len(live)} tables are at play. Ctrl-C stops them.")
        floor.play()
