"""Runs ours and its peers in turn on the same data, three times, and computes the ratio with its spread."""

import statistics
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

Way: TypeAlias = Callable[[], float]


@dataclass(frozen=True)
class Aim:
    """A bound for the ratio of ours to the peer's."""

    at_least: float | None = None
    at_most: float | None = None

    def is_met_by(self, ratio: float) -> bool:
        return (self.at_least is None or ratio >= self.at_least) and (self.at_most is None or ratio <= self.at_most)

    def __str__(self) -> str:
        bounds = ((sign, bound) for sign, bound in (("≥", self.at_least), ("≤", self.at_most)) if bound is not None)
        return " ".join(f"{sign} {bound:g}" for sign, bound in bounds)


def at_least(bound: float) -> Aim:
    return Aim(at_least=bound)


def at_most(bound: float) -> Aim:
    return Aim(at_most=bound)


def rate_of(way: Way) -> float:
    """Units a second: `way` returns how many units it did."""
    begun = time.perf_counter()
    done = way()
    return done / (time.perf_counter() - begun)


def figure_of(way: Way) -> float:
    """For a function that measures itself (a percentile, megabytes) or is a fixed bound."""
    return way()


def no_preparation() -> None:
    """Default of Case.prepare."""


class RepeatableRate:
    """A function that times itself, and whose rates can be used again in another line of the table."""

    def __init__(self, way: Way, after: Callable[[], None] = no_preparation) -> None:
        self.way, self.after = way, after
        self.rates: deque[float] = deque()

    def __call__(self) -> float:
        self.rates.append(rate_of(self.way))
        self.after()
        return self.rates[-1]

    def again(self) -> float:
        """The rates of the first run, the second and so on, without running it."""
        self.rates.rotate(-1)
        return self.rates[-1]


@dataclass(frozen=True)
class Case:
    """One line of the table for each peer. All implementations do the same work.

    An implementation may get a smaller amount (an ORM loop over everything would take hours): the rate counts."""

    what: str
    unit: str
    ours: Way
    peers: Mapping[str, Way]
    # By peer; a peer without an aim is only shown.
    aims: Mapping[str, Aim] = field(default_factory=dict)
    figure: Callable[[Way], float] = rate_of
    # Run before each implementation, not measured.
    prepare: Callable[[], None] = no_preparation


@dataclass(frozen=True)
class Measurement:
    what: str
    unit: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    spread: tuple[float, float]
    aim: Aim | None

    @property
    def is_met(self) -> bool | None:
        return None if self.aim is None else self.aim.is_met_by(self.ratio)


def measure(case: Case, times: int) -> list[Measurement]:
    figures: dict[str, list[float]] = {name: [] for name in ("ours", *case.peers)}
    for _ in range(times):
        for name, way in (("ours", case.ours), *case.peers.items()):
            case.prepare()
            figures[name].append(case.figure(way))
    return [compare_with_peer(case, peer, figures["ours"], figures[peer]) for peer in case.peers]


def compare_with_peer(case: Case, peer: str, ours: list[float], theirs: list[float]) -> Measurement:
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    return Measurement(
        what=case.what,
        unit=case.unit,
        peer=peer,
        ours=statistics.median(ours),
        theirs=statistics.median(theirs),
        ratio=statistics.median(ratios),
        spread=(min(ratios), max(ratios)),
        aim=case.aims.get(peer),
    )
