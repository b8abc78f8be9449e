"""What a table is: its rules, limits, odds, equipment and terminals, as in the floor's dated facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Literal
from zoneinfo import ZoneInfo

from rounds.engine import Pack, PostedOdds, Rules, compile_rules, parse_odds
from rounds.intake.protocol.fields import Limits, Position, Staff
from rounds.rulepacks import shipped_packs

OddsAsPosted = str | tuple[str, ...]


@dataclass(frozen=True)
class Seat:
    """A player's place: a seat at the layout, or a terminal, which has its own pay table."""

    seat: int
    terminal: str | None = None
    pay_table: str | None = None


@dataclass(frozen=True)
class TableConfig:
    """Configuration of one table. `offered` None: every wager of its rules; `streak_amount` None: no Super Streak.

    `more_wagers`: that many additional bets a player and round, for busy floors with few places. `sixes`: how many
    times as often as any other face the dice show six; 1 for fair dice."""

    casino: str
    table: str
    pack: Pack
    limits: Limits
    time_zone: str = "UTC"
    cut_over: time = time(6, 0)
    shifts: tuple[time, ...] = (time(6, 0), time(14, 0), time(22, 0))
    readings: Mapping[str, str] = field(default_factory=dict)
    pay_table: str | None = None
    terminals: Mapping[str, str] = field(default_factory=dict)
    seats: int = 9
    offered: frozenset[str] | None = None
    posted_odds: Mapping[str, OddsAsPosted] = field(default_factory=dict)
    streak_amount: int | None = None
    has_touch_screen: bool = False
    shaker: Literal["", "manual", "automated"] = ""
    decks: int | None = None
    more_wagers: int = 0
    sixes: int = 1

    @cached_property
    def seat_places(self) -> tuple[Seat, ...]:
        if self.terminals:
            named = enumerate(sorted(self.terminals.items()), start=1)
            return tuple(Seat(seat, terminal, pay_table) for seat, (terminal, pay_table) in named)
        return tuple(Seat(seat, None, self.pay_table) for seat in range(1, self.seats + 1))

    def rules_at(self, place: Seat) -> Rules:
        return self._rules_by_pay_table[place.pay_table]

    @cached_property
    def _rules_by_pay_table(self) -> Mapping[str | None, Rules]:
        return {place.pay_table: compile_rules(self.pack, place.pay_table, self.readings) for place in self.seat_places}

    def bets_at(self, place: Seat) -> tuple[str, ...]:
        """The betting areas of that place, without Super Streak."""
        return self._bets_by_pay_table[place.pay_table]

    @cached_property
    def _bets_by_pay_table(self) -> Mapping[str | None, tuple[str, ...]]:
        return {
            place.pay_table: tuple(c for c in self.rules_at(place).bets if self.offered is None or c in self.offered)
            for place in self.seat_places
        }

    @cached_property
    def unoffered_bets(self) -> tuple[str, ...]:
        """Bets that the rules approve and this table does not offer."""
        if self.offered is None:
            return ()
        return tuple(code for code in self.rules_at(self.seat_places[0]).bets if code not in self.offered)

    @cached_property
    def parsed_posted_odds(self) -> Mapping[str, PostedOdds]:
        return {
            bet: parse_odds(odds) if isinstance(odds, str) else tuple(map(parse_odds, odds))
            for bet, odds in self.posted_odds.items()
        }

    @property
    def has_cards(self) -> bool:
        return self.pack.conduct.cards is not None

    @property
    def equipment(self) -> frozenset[str]:
        """In the vocabulary of a pack's `only_with`."""
        touch = {"touch-screen"} if self.has_touch_screen else set()
        shaker = {f"{self.shaker}-shaker"} if self.shaker else set()
        return frozenset(touch | shaker)

    @property
    def stake_unit(self) -> int:
        """The smallest step between stakes."""
        return self.limits.unit or self.limits.min

    def day_begins_at(self, day: date) -> datetime:
        return datetime.combine(day, self.cut_over, ZoneInfo(self.time_zone)).astimezone(UTC)

    def gaming_day_at(self, at: datetime) -> date:
        local = at.astimezone(ZoneInfo(self.time_zone))
        return local.date() if local.time() >= self.cut_over else local.date() - timedelta(days=1)

    def shift_starts(self, day: date) -> list[datetime]:
        """Every shift start within a gaming day, the one at its beginning included."""
        zone = ZoneInfo(self.time_zone)
        starts = [
            datetime.combine(day if start >= self.cut_over else day + timedelta(days=1), start, zone).astimezone(UTC)
            for start in self.shifts
        ]
        return sorted(starts)

    def staff_member(self, word: str, number: str = "") -> Staff:
        """A person in the position that the pack's word means."""
        return Staff(position=staff_position(self.pack, word), number=number or f"{word[0].upper()}-01")


def staff_position(pack: Pack, word: str) -> Position:
    means = pack.roles[word].means if word in pack.roles else ()
    found = next(iter(means), "dealer")
    positions: tuple[Position, ...] = (
        "games-supervisor",
        "casino-supervisor",
        "shift-manager",
        "inspector",
        "authority-officer",
    )
    return next((position for position in positions if position == found), "dealer")


def example_tables() -> tuple[TableConfig, ...]:
    """A complete table for each shipped rule set, for play without a floor."""
    find = shipped_packs().find
    nsw, skycity = find("nsw-sic-bo"), find("skycity-big-and-small")
    four = {"four:1-2-3-4", "four:2-3-4-5", "four:2-3-5-6", "four:3-4-5-6"}
    harbour = TableConfig(
        casino="harbour",
        table="sb-01",
        pack=nsw,
        time_zone="Australia/Sydney",
        limits=Limits(min=500, max=50_000),
        offered=frozenset(compile_rules(nsw).bets) - four,
        streak_amount=1_000,
        has_touch_screen=True,
    )
    layouts = {"t-01": "1", "t-02": "1", "t-03": "2", "t-04": "2", "t-05": "3", "t-06": "3"}
    return (
        harbour,
        TableConfig(
            casino="sentosa",
            table="etg-01",
            pack=find("rws-sic-bo-etg"),
            time_zone="Asia/Singapore",
            limits=Limits(min=200, max=100_000),
            terminals=layouts,
        ),
        TableConfig(
            casino="marina",
            table="cards-01",
            pack=find("mbs-3-card-sic-bo"),
            time_zone="Asia/Singapore",
            limits=Limits(min=1_000, max=100_000),
            decks=4,
        ),
        TableConfig(
            casino="adelaide",
            table="bs-01",
            pack=skycity,
            time_zone="Australia/Adelaide",
            limits=Limits(min=500, max=20_000, unit=250, payable_unit=100),
            offered=frozenset(compile_rules(skycity).bets) - {"field"},
        ),
        TableConfig(
            casino="boardwalk",
            table="sb-01",
            pack=find("licensee-sic-bo"),
            time_zone="America/New_York",
            limits=Limits(min=500, max=50_000),
            shaker="automated",
            posted_odds={
                "total:4": "60 to 1",
                "total:17": "60 to 1",
                "double:1": "10 to 1",
                **{f"single:{face}": ("1 to 1", "2 to 1", "3 to 1") for face in range(1, 7)},
            },
        ),
    )


def with_table_name(set_up: TableConfig, table: str) -> TableConfig:
    return replace(set_up, table=table)
