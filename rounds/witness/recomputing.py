"""Every settlement in a log recomputed by the rule versions in it, and compared with what its findings say.

What cannot be recomputed from the log is counted, with the reason: never passed over in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError
from rounds.engine.packs import Pack, load_pack
from rounds.engine.rules import rules_for
from rounds.engine.settle import settle_under
from rounds.intake.kinds.round import Round, Wager
from rounds.ledger.leaves import Header
from rounds.witness.circumstances import Found, LogRead, pay_table_of, read_log, round_of, rounds_in
from rounds.witness.due import Due, NoPack, NoSum, due_of
from rounds.witness.evidence import EntryRead
from rounds.witness.governing import Governors
from rounds.witness.positions import hold_together, position_of
from rounds.witness.readable import APPROVED, Unreadable
from rounds.witness.seen import Seen
from rounds.witness.streaks import StreakBook, streak_due

READING = "reading:"
# Findings about a round as a whole that say something of the money of each wager in it.
OF_ALL_WAGERS = frozenset({"SETTLE-SHOULD-BE-VOID", "ROUND-NO-RULES", "ROUND-REASON"})
Entries = Callable[[], Iterable[EntryRead]]


class NotReproduced(NamedTuple):
    """A wager whose money does not come out as the log has it."""

    place: int
    wager: str
    words: str


@dataclass
class Recomputed:
    """`waiting` are wagers that differ in rounds which the service has not audited yet: a later checkpoint tells.

    `lacking` are those whose rules the evidence does not have. A Super Streak that still runs is counted when it
    ends."""

    reproduced: int = 0
    found_too: int = 0
    waiting: int = 0
    lacking: int = 0
    unreadable: list[Unreadable] = field(default_factory=list)
    not_reproduced: list[NotReproduced] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def holds(self) -> bool:
        return not (self.differs or self.waiting or self.lacking)

    @property
    def differs(self) -> bool:
        return bool(self.not_reproduced or self.unreadable)


def recompute(entries: Entries, packs: Mapping[str, bytes]) -> Recomputed:
    """Reads the entries twice: what governs a round may be recorded after it. Streaks are judged when all are read."""
    judge = _Judge(read_log(entries()), packs)
    for entry, header in rounds_in(entries()):
        judge.take(entry, header)
    judge.judge_streaks()
    judge.came_to.unreadable.sort()
    return judge.came_to


@lru_cache(maxsize=64)
def _pack(content: bytes, sha256: str) -> Pack:
    return load_pack(content, f"{sha256[:12]}.toml")


class _Judge:
    def __init__(self, log: LogRead, packs: Mapping[str, bytes]) -> None:
        self.log = log
        self.came_to = Recomputed(unreadable=[one for one in log.unreadable if one.place not in log.taken_back])
        self.governors = Governors(log, dict(self._read_packs(packs)))
        self.book = StreakBook()
        self.streaks: list[tuple[Seen, Wager]] = []
        self.by_subject: dict[int, list[Found]] = {}
        for one in log.findings.values():
            self.by_subject.setdefault(one.subject, []).append(one)

    def _read_packs(self, packs: Mapping[str, bytes]) -> Iterator[tuple[str, Pack]]:
        for sha256, content in packs.items():
            try:
                yield sha256, _pack(content, sha256)
            except EngineError as error:
                approved = [one.index for one in self.log.versions if one.pack_sha256 == sha256]
                self.came_to.unreadable += [Unreadable(index, APPROVED, f"its pack: {error}") for index in approved]

    def take(self, entry: EntryRead, header: Header) -> None:
        played = round_of(entry, header)
        if self.log.is_taken_back(entry.place, header):
            settled = [wager for wager in played.wagers if wager.verdict != "open"] if played else ()
            self.came_to.left_out["the round was taken back"] += len(settled)
        elif played is None:
            self.came_to.unreadable.append(Unreadable(entry.place, header.kind, "it is not a round"))
        else:
            with self._named(entry.place):
                self._judge(entry.place, header.table or "", played)

    @contextmanager
    def _named(self, index: int) -> Iterator[None]:
        """Whatever the records say on which a round rests, whoever runs the witness gets words."""
        try:
            yield
        except Exception as error:
            words = f"it cannot be settled by what the log says ({type(error).__name__}: {error})"
            self.came_to.unreadable.append(Unreadable(index, "round", words))

    def _judge(self, index: int, table: str, played: Round) -> None:
        settled = [wager for wager in played.wagers if wager.verdict != "open"]
        try:
            seen = self.governors.see(index, table, played)
        except NoSum as why:
            for wager in settled:
                self._without_sum(index, wager, why)
            return
        self.book.note(seen.table, index, played, was_invalidated=seen.is_invalidated)
        self.streaks += [(seen, wager) for wager in settled if BETS[wager.bet].is_streak]
        for wager, due in self._each_due(seen):
            self._compare(seen, wager, due)

    def judge_streaks(self) -> None:
        self.book.put_in_order()
        for seen, wager in self.streaks:
            with self._named(seen.index):
                self._judge_streak(seen, wager)

    def _judge_streak(self, seen: Seen, wager: Wager) -> None:
        pay_table = pay_table_of(seen.pack, seen.governing.facts, {})
        if wager.verdict == "refused" or pay_table is None or seen.pack.law.streak is None:
            self.came_to.left_out["a Super Streak was refused, or the rules know none"] += 1
            return
        try:
            due = streak_due(seen, wager, seen.governing.rules(pay_table), self.book)
        except NoSum as why:
            self._without_sum(seen.index, wager, why)
        else:
            self._compare(seen, wager, due)

    def _each_due(self, seen: Seen) -> Iterator[tuple[Wager, Due]]:
        """Of each wager that this round decides."""
        positions = [position_of(one, seen.cut_off) for one in seen.round.wagers if not BETS[one.bet].is_streak]
        held = hold_together(positions, {one.wager.id: seen.limits_for(one.wager) for one in positions})
        for one in positions:
            wager = one.wager
            at_terminal = self.log.facts_at(seen.table, seen.at, wager.terminal) if wager.terminal else {}
            pay_table = pay_table_of(seen.pack, seen.governing.facts, at_terminal)
            try:
                if pay_table is None:
                    raise NoSum("no pay table is on record", must_be_found=True)
                yield wager, due_of(seen, one, held.get(wager.id), pay_table)
            except NoSum as why:
                self._without_sum(seen.index, wager, why)

    def _findings(self, index: int, wager: Wager) -> list[Found]:
        about = self.by_subject.get(index, ())
        return [one for one in about if one.wager == wager.id or (not one.wager and one.code in OF_ALL_WAGERS)]

    def _without_sum(self, index: int, wager: Wager, why: NoSum) -> None:
        if isinstance(why, NoPack):
            self.came_to.lacking += 1
            self.came_to.left_out[str(why)] += 1
        elif self._findings(index, wager):
            self.came_to.found_too += 1
        elif not why.must_be_found:
            self.came_to.left_out[str(why)] += 1
        elif not self.log.is_covered(index):
            self.came_to.waiting += 1
        else:
            self._differs(index, wager, f"{why}, and nothing is found.")

    def _compare(self, seen: Seen, wager: Wager, due: Due) -> None:
        """As the log has it: paid as due and nothing found, or a finding that names what we make due."""
        index, paid = seen.index, seen.handed_back(wager)
        found = self._findings(index, wager)
        about_money = [one for one in found if one.required_cents is not None and one.wager]
        if about_money and all(one.required_cents != due.cents for one in about_money):
            sums = ", ".join(f"{one.code} {one.required_cents}" for one in about_money)
            self._differs(index, wager, f"we make {due.cents} cents due, the log's finding says {sums}.")
        elif due.accepts(paid):
            self.came_to.reproduced += 1
        elif found or self._is_by_another_reading(seen, due, paid):
            self.came_to.found_too += 1
        elif not self.log.is_covered(index):
            self.came_to.waiting += 1
        else:
            self._differs(index, wager, f"{paid} cents were handed back, {due.cents} were due, and nothing is found.")

    def _differs(self, index: int, wager: Wager, words: str) -> None:
        self.came_to.not_reproduced.append(NotReproduced(index, wager.id, words))

    def _is_by_another_reading(self, seen: Seen, due: Due, paid: int) -> bool:
        """One finding stands for all wagers that were settled by a reading which is not adopted."""
        version = seen.governing.version
        for one in self.by_subject.get(version.index, ()) if due.rules and due.asked else ():
            name, _, choice = one.check.removeprefix(READING).partition("=")
            if one.check.startswith(READING) and due.rules and due.asked:
                rules = rules_for(due.rules.pack, due.rules.pay_table, {**version.readings, name: choice})
                try:
                    again = settle_under(rules, due.asked).returned_cents
                except EngineError:
                    continue
                if again is not None and again + due.added_cents == paid:
                    return True
        return False
