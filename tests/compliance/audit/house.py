"""House: the casino Harbour with tables under any of the five rule sets, and rounds appended as controllers' lines."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import count

import msgspec
from django.db import transaction

from compliance.audit.models import Coverage, Finding
from compliance.audit.run.worker import audit_log
from rounds.floor.fact_values import FactValue, LimitsValue, TableRulesValue, TerminalLayoutValue, WagersOfferedValue
from rounds.floor.models import Table
from rounds.floor.services import add_terminal
from rounds.floor.services.facts import record_fact
from rounds.intake.protocol.envelope import encode_line
from rounds.intake.protocol.fields import Body
from rounds.intake.protocol.round import Round, Wager
from rounds.ledger.writing.append import NewEntry, append
from tests.compliance.audit.round_builders import NSW, START, build_round
from tests.rounds.floor.crew import OPENING, Crew, new_table, record_table_fact, table_under

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=OPENING.tzinfo)
CONTROLLER = "box-1"


class House:
    """A casino with tables to play at and to audit. Lines are numbered as a controller numbers them."""

    def __init__(self, crew: Crew) -> None:
        self.crew, self.casino = crew, crew.harbour
        self.rules: dict[str, str] = {}
        self._sequences: dict[str, Iterator[int]] = {}
        self._rounds = count(1)
        self._played: dict[tuple[str, datetime], Iterator[int]] = {}

    def open_table(self, slug: str = "sb-1", rules: str = NSW, limits: LimitsValue | None = None) -> Table:
        table = table_under(self.crew, rules, slug)
        self.rules[slug] = rules
        if limits is not None:
            record_table_fact(self.crew, table, limits)
        return table

    def open_tables_with_even(self, *slugs: str) -> None:
        """Tables under the rules of New South Wales that offer Even, which the rules can be read to pay on 10."""
        for slug in slugs:
            if NSW not in self.rules.values():
                table = self.open_table(slug)
            else:
                table = new_table(self.crew, slug)
                record_table_fact(self.crew, table, TableRulesValue(rules=NSW))
            self.rules[slug] = NSW
            record_table_fact(self.crew, table, WagersOfferedValue(wagers=("even",)))

    def add_terminal(self, table: Table, slug: str, layout: str) -> None:
        terminal = add_terminal(table=table, slug=slug, actor=self.crew.sid, now=OPENING)
        record_fact(
            casino=self.casino,
            table=table,
            terminal=terminal,
            value=TerminalLayoutValue(layout=layout),
            effective_at=OPENING,
            actor=self.crew.sid,
            now=OPENING,
        )

    def state(self, table: Table, value: FactValue, *, at: datetime, now: datetime = NOW) -> None:
        record_table_fact(self.crew, table, value, at, now=now)

    def report(self, kind: str, body: Body, *, table: str = "sb-1", at: datetime = NOW, now: datetime = NOW) -> int:
        """Appends one line of the table's controller. Returns its index."""
        sequence = next(self._sequences.setdefault(table, count(1)))
        line = encode_line(kind=kind, table=table, sequence=sequence, at=at, body=body)
        entry_kind = "controller-correction" if kind == "correction" else kind
        entry = NewEntry(kind=entry_kind, body=line, table=table, controller=CONTROLLER, sequence=sequence)
        with transaction.atomic():
            [receipt] = append(self.casino.slug, [entry], now)
        return receipt.index

    def go_on_from(self, table: str, sequence: int) -> None:
        """Sets the next sequence number, where lines were appended by other means."""
        self._sequences[table] = count(sequence)

    def play(
        self,
        dice: tuple[int, int, int] | None,
        *wagers: Wager,
        table: str = "sb-1",
        later: timedelta | None = None,
        now: datetime = NOW,
        offset: tzinfo = UTC,
        **rest: object,
    ) -> int:
        """Plays a round that is honest except for what the wagers state. Returns its entry index. Rounds of a table
        that would begin at the same time follow each other by a minute. `offset`: that of the times in the line."""
        days = int((later or timedelta()) / timedelta(days=1))
        rest = {"gaming_day": START.date() + timedelta(days=days)} | rest
        body = build_round(self.rules[table], dice, *wagers, round=f"r-{next(self._rounds)}", **rest)  # type: ignore[arg-type]
        start = min(event.at for event in body.events) + (later or timedelta())
        wait = timedelta(minutes=next(self._played.setdefault((table, start), count())))
        return self.report("round", shifted(body, wait + (later or timedelta()), offset), table=table, now=now)

    def audit(self) -> list[Coverage]:
        return list(audit_log(self.casino))

    def codes(self) -> list[str]:
        """Codes of the current findings, in log order."""
        rows = Finding.objects.current().filter(casino=self.casino).order_by("subject_index", "wager", "code")
        return list(rows.values_list("code", flat=True))


def shifted(body: Round, later: timedelta, offset: tzinfo = UTC) -> Round:
    """The same round at another time, with its times in another offset."""
    replace = msgspec.structs.replace
    return replace(
        body,
        events=tuple(replace(event, at=(event.at + later).astimezone(offset)) for event in body.events),
        wagers=tuple(replace(wager, placed_at=(wager.placed_at + later).astimezone(offset)) for wager in body.wagers),
    )
