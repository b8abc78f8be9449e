"""Helpers: a dice set plays many rounds at a table. Its controller's lines are appended in one batch and audited."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import numpy as np
from django.db import transaction

from compliance.analysis.fairness.examination.daily_examination import record_examination
from compliance.analysis.fairness.models import Examination, Signal
from compliance.analysis.fairness.simulation.loaded_dice import FAIR_DICE, DiceLoading, throw_dice
from compliance.analysis.fairness.statistics.dice_tests import Results
from compliance.core.accounts.models import Casino
from rounds.engine.bets.dice_outcomes import OUTCOMES
from rounds.intake.protocol.envelope import encode_line
from rounds.intake.protocol.equipment import DicePlaced, DiceRemoved
from rounds.intake.protocol.round import Wager
from rounds.ledger.writing.append import NewEntry, append
from tests.compliance.audit.house import CONTROLLER, NOW, shifted
from tests.compliance.audit.round_builders import START, build_round
from tests.compliance.tables.equipment.builders import RWS, Floor

DAY = date(2026, 11, 16)
# After the end of the gaming day in Sydney and the grace period for late lines.
AFTER = datetime(2026, 11, 17, 12, 0, tzinfo=UTC)
SIX_ALWAYS = DiceLoading("six", "Nothing but sixes", 1.0)


def place_dice(floor: Floor, name: str, *, table: str = "sb-1", at: datetime = START - timedelta(hours=1)) -> None:
    floor.report("dice-placed", DicePlaced(dice=name), at=at, table=table)


def remove_dice(floor: Floor, name: str, *, at: datetime, table: str = "sb-1") -> None:
    floor.report("dice-removed", DiceRemoved(dice=name, reason="other"), at=at, table=table)


def play_many(
    floor: Floor,
    outcomes: Sequence[int] | Results,
    *,
    table: str = "sb-1",
    since: timedelta = timedelta(0),
    wagers: Sequence[Sequence[Wager]] = (),
    day: date = DAY,
    first: int = 1_000,
) -> list[int]:
    """Plays a round every second. Returns the indexes of their entries."""
    rules, entries = floor.house.rules[table], []
    for place, outcome in enumerate(np.asarray(outcomes).tolist()):
        laid = wagers[place] if wagers else ()
        body = build_round(rules, OUTCOMES[outcome], *laid, round=f"{table}-{first + place}", gaming_day=day)
        body = shifted(body, since + timedelta(seconds=place))
        line = encode_line(kind="round", table=table, sequence=first + place, at=NOW, body=body)
        entries.append(NewEntry(kind="round", body=line, table=table, controller=CONTROLLER, sequence=first + place))
    with transaction.atomic():
        receipts = append(floor.house.casino.slug, entries, NOW)
    floor.house.go_on_from(table, first + len(entries))
    return [receipt.index for receipt in receipts]


def results(loading: DiceLoading = FAIR_DICE, rounds: int = 200, seed: int = 7) -> Results:
    return throw_dice(loading, rounds, np.random.default_rng(seed))


def with_dice(floor: Floor, outcomes: Results, *, name: str = "set-1", rules: str = RWS) -> list[int]:
    """A table under these rules with its dice, and rounds that were consumed and audited."""
    floor.table(rules)
    place_dice(floor, name)
    indexes = play_many(floor, outcomes)
    floor.consume(AFTER)
    floor.house.audit()
    return indexes


def signal_by_hand(casino: Casino, now: datetime, table: str = "sb-1") -> Signal:
    """A signal as an examination would record it, without rounds behind it."""
    done = Examination(casino=casino, gaming_day=DAY, looks=[], level="1.37e-05", tests=6, examined_at=now)
    signal = Signal(
        casino=casino,
        code="FAIR-FACES",
        subject_kind="table",
        subject=table,
        window="2026-11",
        gaming_day=DAY,
        test="faces",
        rounds=200,
        statistic="45.2",
        degrees=5,
        p_value="1.32e-08",
        level="2.28e-06",
        tests=6,
        cells=[[str(face), 100, "100.00", "76.48", "123.52"] for face in range(1, 7)],
        played=[],
        voids=[{"table": table, "rules": "Rules", "reason": "damaged-dice", "clause": "5.4"}],
        found_at=now,
    )
    record_examination(casino=casino, done=done, signals=[signal], now=now)
    return signal
