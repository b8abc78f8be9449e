"""Runs ours and its peers in turn on the same data, three times, and says how many times faster, with the spread."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

TIMES = 3


@dataclass(frozen=True)
class Case:
    """One line or more of the table. Every way does the same work and returns how much of it it did.

    A way may be given a size of its own (an ORM loop over the whole would take hours): what counts is the rate.
    """

    what: str
    unit: str
    ours: Callable[[], int]
    peers: Mapping[str, Callable[[], int]] = field(default_factory=dict)
    # At least so many times the peer's rate.
    aims: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    what: str
    unit: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    spread: tuple[float, float]
    aim: float | None

    @property
    def is_met(self) -> bool | None:
        return None if self.aim is None else self.ratio >= self.aim


def measure(case: Case, times: int = TIMES) -> list[Measured]:
    rates: dict[str, list[float]] = {name: [] for name in ("ours", *case.peers)}
    for _ in range(times):
        for name, way in (("ours", case.ours), *case.peers.items()):
            rates[name].append(rate_of(way))
    return [compared(case, peer, rates["ours"], rates[peer]) for peer in case.peers]


def rate_of(way: Callable[[], int]) -> float:
    begun = time.perf_counter()
    done = way()
    return done / (time.perf_counter() - begun)


def compared(case: Case, peer: str, ours: list[float], theirs: list[float]) -> Measured:
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    return Measured(
        what=case.what, unit=case.unit, peer=peer, ours=statistics.median(ours), theirs=statistics.median(theirs),
        ratio=statistics.median(ratios), spread=(min(ratios), max(ratios)), aim=case.aims.get(peer),
    )  # fmt: skip
