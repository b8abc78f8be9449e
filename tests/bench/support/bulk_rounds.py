"""Rounds in bulk: five tables, one under each rule pack, honest except for a few planted errors.

The lines are those of table controllers, appended as in intake; a test compares their form.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from django.db import transaction

from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.engine.pack.compiled_rules import compile_rules
from rounds.engine.pack.pack_file import Pack
from rounds.floor.fact_values import LimitsValue, TableRulesValue, WagersOfferedValue
from rounds.floor.models import Controller
from rounds.floor.public_keys import key_id_of
from rounds.intake.models import Batch
from rounds.intake.protocol.envelope import encode_line
from rounds.intake.protocol.round import Called, Round, RoundEvent, Wager
from rounds.intake.protocol.signature import line_digest, signed_text
from rounds.ledger.writing.append import NewEntry, append
from tests.compliance.audit.house import CONTROLLER, House
from tests.compliance.audit.round_builders import LICENSEE, MBS, NSW, ORDER, RWS, SKYCITY, USUAL_TENDER, pack_of
from tests.rounds.floor.crew import (
    OPENING,
    PUBLIC_KEY,
    SECRET,
    gather,
    new_controller,
    new_table,
    record_table_fact,
    trusted_key,
)

RULES = (NSW, RWS, MBS, SKYCITY, LICENSEE)
LIMITS = LimitsValue(min=500, max=50_000)
WAGERS_A_ROUND, ROUNDS_A_BATCH = 20, 500
BETWEEN_ROUNDS = timedelta(seconds=90)
FIRST_ROUND = OPENING + timedelta(days=1)
OVERPAID_CENTS = 100
TOLD_EVERY = 50_000


@dataclass(frozen=True)
class PlantedError:
    """A settlement that is wrong on purpose."""

    index: int
    wager: str
    required_cents: int
    found_cents: int


@dataclass(frozen=True)
class BulkTable:
    """A table, with its correct payouts from the rule pack: `pays[pay table][bet][outcome]`."""

    slug: str
    rules: str
    # Optional bets of the pack that this table offers.
    also: frozenset[str] = frozenset()

    @property
    def pack(self) -> Pack:
        return pack_of(self.rules)

    @cached_property
    def pay_tables(self) -> list[str]:
        return list(self.pack.law.pay_table)

    @cached_property
    def pays(self) -> dict[str, dict[str, tuple[int | None, ...]]]:
        """Winnings of a stake of a hundred cents; None if it loses."""
        optional = {str(bet) for wager in self.pack.law.wager.values() if wager.is_optional for bet in wager.bets}
        return {
            pay_table: {
                code: tuple(None if pay is None else int(100 * pay.odds) for pay in rule.by_outcome)
                for code, rule in compile_rules(self.pack, pay_table).bets.items()
                if code not in optional - self.also
            }
            for pay_table in self.pay_tables
        }

    @cached_property
    def boxes(self) -> dict[str, tuple[tuple[str, tuple[int | None, ...]], ...]]:
        """The same as tuples, to choose from at random."""
        return {pay_table: tuple(pays.items()) for pay_table, pays in self.pays.items()}

    def terminal_of(self, seat: int) -> tuple[str | None, str]:
        """The terminal at a seat, if there is one, and the pay table that applies."""
        if len(self.pay_tables) == 1:
            return None, self.pay_tables[0]
        return f"t-{seat}", self.pay_tables[seat % len(self.pay_tables)]


@dataclass
class BulkFloor:
    """A casino with a table under each rule pack, whose log grows on request."""

    house: House
    controller: Controller
    tables: tuple[BulkTable, ...]
    one_wrong_in: int
    dice: random.Random = field(default_factory=lambda: random.Random(1))
    rounds: int = 0
    planted: list[PlantedError] = field(default_factory=list)

    def play(self, rounds: int) -> None:
        """Appends that many more rounds, one transaction a batch as in intake."""
        for begun in range(0, rounds, ROUNDS_A_BATCH):
            self._append([self._next() for _ in range(min(ROUNDS_A_BATCH, rounds - begun))])
            if self.rounds % TOLD_EVERY == 0:
                print(f"   {self.rounds:,} rounds played", flush=True)

    def _append(self, played: list["BulkRound"]) -> None:
        """With the signed batch, so that the log can be verified."""
        log, sent_at, key_id = self.house.casino.slug, played[0].at, key_id_of(PUBLIC_KEY)
        digests = [line_digest(one.entry.body) for one in played]
        with transaction.atomic():
            first = append(log, [one.entry for one in played], sent_at)[0].index
            Batch.objects.create(
                log=log,
                first_index=first,
                entries=len(played),
                controller=self.controller,
                key_id=key_id,
                sent_at_text=sent_at.isoformat(),
                sent_at=sent_at,
                received_at=sent_at,
                signature=SECRET.sign(signed_text(key_id, sent_at.isoformat(), digests)),
                line_digests=b"".join(digests),
            )
        for index, one in enumerate(played, first):
            self.planted += [PlantedError(index, *wrong) for wrong in one.wrong]

    def _next(self) -> "BulkRound":
        turn, place = divmod(self.rounds, len(self.tables))
        self.rounds += 1
        return play_round(self.tables[place], turn + 1, self.dice, self.one_wrong_in)


@dataclass(frozen=True)
class BulkRound:
    """A round as its controller's line, and its errors: wager, amount required, amount returned."""

    entry: NewEntry
    at: datetime
    wrong: list[tuple[str, int, int]]


def open_floor(one_wrong_in: int) -> BulkFloor:
    house = House(gather())
    tables = tuple(BulkTable(f"sb-{number}", rules) for number, rules in enumerate(RULES, 1))
    for table in tables:
        opened = house.open_table(table.slug, table.rules, LIMITS)
        for seat in range(1, WAGERS_A_ROUND + 1):
            terminal, pay_table = table.terminal_of(seat)
            if terminal is not None:
                house.add_terminal(opened, terminal, table.pack.law.pay_table[pay_table].layout or "")
    return _open_bulk_floor(house, tables, one_wrong_in)


def open_floor_under(rules: str, also: frozenset[str], one_wrong_in: int) -> BulkFloor:
    """The same number of tables, all under one rule pack, with these optional bets."""
    house = House(gather())
    tables = tuple(BulkTable(f"sb-{number}", rules, also) for number in range(1, len(RULES) + 1))
    for table in tables:
        if not house.rules:
            opened = house.open_table(table.slug, rules, LIMITS)
        else:
            opened = new_table(house.crew, table.slug)
            for value in (TableRulesValue(rules=rules), LIMITS):
                record_table_fact(house.crew, opened, value)
        house.state(opened, WagersOfferedValue(wagers=tuple(also)), at=opened.added_at)
    return _open_bulk_floor(house, tables, one_wrong_in)


def _open_bulk_floor(house: House, tables: tuple[BulkTable, ...], one_wrong_in: int) -> BulkFloor:
    controller = new_controller(house.crew)
    trusted_key(house.crew, controller)
    return BulkFloor(house, controller, tables, one_wrong_in)


def _called(faces: tuple[int, int, int]) -> Called:
    low, middle, high = sorted(faces)
    return Called(faces=(low, middle, high), total=sum(faces))


def play_round(table: BulkTable, sequence: int, dice: random.Random, one_wrong_in: int) -> BulkRound:
    begun = FIRST_ROUND + sequence * BETWEEN_ROUNDS
    outcome = dice.randrange(len(OUTCOMES))
    wrong: list[tuple[str, int, int]] = []
    body = Round(
        round=f"r-{table.slug}-{sequence}",
        gaming_day=begun.date(),
        events=tuple(round_events(table.rules, begun)),
        called=_called(OUTCOMES[outcome]) if "result-called" in ORDER[table.rules] else None,
        wagers=tuple(round_wagers(table, begun, outcome, dice, one_wrong_in, wrong)),
        **{"cards" if table.rules == MBS else "dice": OUTCOMES[outcome]},  # type: ignore[arg-type]
    )
    at = body.events[-1].at
    line = encode_line(kind="round", table=table.slug, sequence=sequence, at=at, body=body)
    entry = NewEntry(kind="round", body=line, table=table.slug, controller=CONTROLLER, sequence=sequence, again=line)
    return BulkRound(entry, at, wrong)


def round_events(rules: str, begun: datetime) -> Iterator[RoundEvent]:
    for place, name in enumerate(ORDER[rules]):
        if name:
            count = 3 if name == "tumbled" else None
            yield RoundEvent(name=name, at=begun + timedelta(seconds=10 * place), count=count)  # type: ignore[arg-type]


def round_wagers(
    table: BulkTable,
    begun: datetime,
    outcome: int,
    dice: random.Random,
    one_wrong_in: int,
    wrong: list[tuple[str, int, int]],
) -> Iterator[Wager]:
    """One wager a seat, on a random bet, of $5 to $40; errors are appended to `wrong`."""
    placed_at, tender = begun + timedelta(seconds=20), USUAL_TENDER.get(table.rules, "value-chips")
    for seat in range(1, WAGERS_A_ROUND + 1):
        terminal, pay_table = table.terminal_of(seat)
        boxes = table.boxes[pay_table]
        code, pays = boxes[int(len(boxes) * dice.random())]
        stake, pay = 500 * (1 + int(8 * dice.random())), pays[outcome]
        due = 0 if pay is None else stake + stake // 100 * pay
        returned = due
        if int(one_wrong_in * dice.random()) == 0:
            returned = due + OVERPAID_CENTS
            wrong.append((f"w{seat}", due, returned))
        yield Wager(
            id=f"w{seat}",
            seat=seat,
            bet=code,
            stake=stake,
            tender=tender,  # type: ignore[arg-type]
            placed_at=placed_at,
            terminal=terminal,
            registered=None if terminal is None else True,
            verdict="lose" if pay is None else "win",
            returned=returned,
        )
