"""Recomputes every settlement in a log under its own rule versions and compares it with payments and findings.

What cannot be recomputed is counted with the reason, never skipped silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from rounds.engine import BETS, EngineError, Pack, compile_rules, load_pack, settle_wager
from rounds.intake.protocol.round import Round, Wager
from rounds.transparency_log import formats
from rounds.witness.entries.bundle_source import RawEntry
from rounds.witness.recompute.amount_due import AmountDue, NoAmountDue, RulePackMissing, amount_due
from rounds.witness.recompute.entry_schemas import APPROVED, UnreadableEntry
from rounds.witness.recompute.positions import group_by_player_and_box, position_of
from rounds.witness.recompute.round_context import RoundContext
from rounds.witness.recompute.rules_in_force import (
    LoggedFinding,
    LogRules,
    parse_round,
    pay_table_for,
    read_log_rules,
    round_entries,
)
from rounds.witness.recompute.rules_lookup import RulesLookup
from rounds.witness.recompute.streaks import StreakResults, streak_amount_due

READING_PREFIX = "reading:"
# Findings about a whole round that also explain the amounts of its wagers.
WHOLE_ROUND_CODES = frozenset({"SETTLE-SHOULD-BE-VOID", "ROUND-NO-RULES", "ROUND-REASON"})
EntryReader = Callable[[], Iterable[RawEntry]]


class WagerMismatch(NamedTuple):
    """A wager whose amount does not match the log."""

    place: int
    wager: str
    words: str


@dataclass
class RecomputeResult:
    """Counts and mismatches. `waiting` are differing wagers in rounds that the service has not audited yet.

    `lacking` are wagers whose rule pack is missing from the evidence. A running Super Streak is counted when it ends.
    """

    reproduced: int = 0
    found_too: int = 0
    waiting: int = 0
    lacking: int = 0
    unreadable: list[UnreadableEntry] = field(default_factory=list)
    not_reproduced: list[WagerMismatch] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def is_reproduced(self) -> bool:
        return not (self.has_mismatches or self.waiting or self.lacking)

    @property
    def has_mismatches(self) -> bool:
        return bool(self.not_reproduced or self.unreadable)


def recompute_log(entries: EntryReader, packs: Mapping[str, bytes]) -> RecomputeResult:
    """Reads the entries twice, because the rules for a round may be recorded after it. Streaks are settled last."""
    judge = _SettlementRecomputer(read_log_rules(entries()), packs)
    for entry, header in round_entries(entries()):
        judge.add_round(entry, header)
    judge.recompute_streaks()
    judge.result.unreadable.sort()
    return judge.result


def _is_right_in_all(context: RoundContext, together: list[tuple[Wager, AmountDue]]) -> bool:
    """Whether a player's wagers on one box got what is due on all of them: which of them is clipped does not matter."""
    paid = sum(context.returned_cents(wager) for wager, _ in together)
    return paid == sum(amount.cents for _, amount in together)


@lru_cache(maxsize=64)
def _load_rule_pack(content: bytes, sha256: str) -> Pack:
    return load_pack(content, f"{sha256[:12]}.toml")


class _SettlementRecomputer:
    """Recomputes rounds one by one and collects the result."""

    def __init__(self, log: LogRules, packs: Mapping[str, bytes]) -> None:
        self.log = log
        self.result = RecomputeResult(unreadable=[one for one in log.unreadable if one.place not in log.taken_back])
        self.rules_lookup = RulesLookup(log, dict(self._read_packs(packs)))
        self.book = StreakResults()
        self.streaks: list[tuple[RoundContext, Wager]] = []
        self.by_subject: dict[int, list[LoggedFinding]] = {}
        for one in log.findings.values():
            self.by_subject.setdefault(one.subject, []).append(one)

    def _read_packs(self, packs: Mapping[str, bytes]) -> Iterator[tuple[str, Pack]]:
        for sha256, content in packs.items():
            try:
                yield sha256, _load_rule_pack(content, sha256)
            except EngineError as error:
                approved = [one.index for one in self.log.versions if one.pack_sha256 == sha256]
                self.result.unreadable += [UnreadableEntry(index, APPROVED, f"its pack: {error}") for index in approved]

    def add_round(self, entry: RawEntry, header: formats.EntryHeader) -> None:
        played = parse_round(entry, header)
        if self.log.is_corrected(entry.place, header):
            settled = [wager for wager in played.wagers if wager.verdict != "open"] if played else ()
            self.result.left_out["the round was taken back"] += len(settled)
        elif played is None:
            self.result.unreadable.append(UnreadableEntry(entry.place, header.kind, "it is not a round"))
        else:
            with self._count_errors_as_unreadable(entry.place):
                self._recompute_round(entry.place, header.table or "", played)

    @contextmanager
    def _count_errors_as_unreadable(self, index: int) -> Iterator[None]:
        """Report any error as an unreadable entry with a sentence: the log's records can contain anything."""
        try:
            yield
        except Exception as error:
            words = f"it cannot be settled by what the log says ({type(error).__name__}: {error})"
            self.result.unreadable.append(UnreadableEntry(index, "round", words))

    def _recompute_round(self, index: int, table: str, played: Round) -> None:
        settled = [wager for wager in played.wagers if wager.verdict != "open"]
        try:
            context = self.rules_lookup.round_context(index, table, played)
        except NoAmountDue as why:
            for wager in settled:
                self._count_without_amount(index, wager, why)
            return
        self.book.add_round(context)
        self.streaks += [(context, wager) for wager in settled if BETS[wager.bet].is_streak]
        for wager, due in self._amounts_due(context):
            self._compare_with_findings(context, wager, due)

    def recompute_streaks(self) -> None:
        self.book.sort_results()
        for context, wager in self.streaks:
            with self._count_errors_as_unreadable(context.index):
                self._recompute_streak(context, wager)

    def _recompute_streak(self, context: RoundContext, wager: Wager) -> None:
        pay_table = pay_table_for(context.pack, context.governing.facts, {})
        was_never_taken = wager.verdict == "refused" and not self.book.results_since_wager(context, wager)
        if was_never_taken or pay_table is None or context.pack.law.streak is None:
            self.result.left_out["a Super Streak was refused, or the rules know none"] += 1
            return
        try:
            due = streak_amount_due(context, wager, context.governing.rules_for_pay_table(pay_table), self.book)
        except NoAmountDue as why:
            self._count_without_amount(context.index, wager, why)
        else:
            self._compare_with_findings(context, wager, due)

    def _amounts_due(self, context: RoundContext) -> Iterator[tuple[Wager, AmountDue]]:
        """The amount due on each wager that this round settles."""
        positions = [position_of(one, context.cut_off) for one in context.round.wagers if not BETS[one.bet].is_streak]
        taken = [one for one in positions if not context.was_rightly_refused(one)]
        held = group_by_player_and_box(taken, {one.wager.id: context.limits_for(one) for one in taken})
        due: dict[str, tuple[Wager, AmountDue]] = {}
        for one in positions:
            wager = one.wager
            at_terminal = self.log.facts_at(context.table, context.at, wager.terminal) if wager.terminal else {}
            pay_table = pay_table_for(context.pack, context.governing.facts, at_terminal)
            try:
                if pay_table is None:
                    raise NoAmountDue("no pay table is on record", must_be_found=True)
                due[wager.id] = wager, amount_due(context, one, held.get(wager.id), pay_table)
            except NoAmountDue as why:
                self._count_without_amount(context.index, wager, why)
        for name, (wager, amount) in due.items():
            total = held.get(name)
            together = [due[each] for each in total.live_cents if each in due] if total else []
            is_right = total is not None and total.is_over_maximum and _is_right_in_all(context, together)
            yield wager, amount._replace(or_cents=context.returned_cents(wager)) if is_right else amount

    def _findings_about(self, index: int, wager: Wager) -> list[LoggedFinding]:
        about = self.by_subject.get(index, ())
        return [one for one in about if one.wager == wager.id or (not one.wager and one.code in WHOLE_ROUND_CODES)]

    def _count_without_amount(self, index: int, wager: Wager, why: NoAmountDue) -> None:
        if isinstance(why, RulePackMissing):
            self.result.lacking += 1
            self.result.left_out[str(why)] += 1
        elif self._findings_about(index, wager):
            self.result.found_too += 1
        elif not why.must_be_found:
            self.result.left_out[str(why)] += 1
        elif not self.log.is_audited(index):
            self.result.waiting += 1
        else:
            self._add_mismatch(index, wager, f"{why}, and nothing is found.")

    def _compare_with_findings(self, context: RoundContext, wager: Wager, due: AmountDue) -> None:
        """A match is a payment as due without a finding, or a finding that names the recomputed amount."""
        index, paid = context.index, context.returned_cents(wager)
        findings = self._findings_about(index, wager)
        about_money = [one for one in findings if one.required_cents is not None and one.wager]
        if about_money and all(one.required_cents != due.cents for one in about_money):
            sums = ", ".join(f"{one.code} {one.required_cents}" for one in about_money)
            self._add_mismatch(index, wager, f"we make {due.cents} cents due, the log's finding says {sums}.")
        elif due.accepts(paid):
            self.result.reproduced += 1
        elif findings or self._matches_another_reading(context, due, paid):
            self.result.found_too += 1
        elif not self.log.is_audited(index):
            self.result.waiting += 1
        else:
            self._add_mismatch(
                index, wager, f"{paid} cents were handed back, {due.cents} were due, and nothing is found."
            )

    def _add_mismatch(self, index: int, wager: Wager, words: str) -> None:
        self.result.not_reproduced.append(WagerMismatch(index, wager.id, words))

    def _matches_another_reading(self, context: RoundContext, due: AmountDue, paid: int) -> bool:
        """Whether the payment is right under a reading that is not adopted: one finding covers all such wagers."""
        version = context.governing.version
        for one in self.by_subject.get(version.index, ()) if due.rules and due.asked else ():
            name, _, choice = one.check.removeprefix(READING_PREFIX).partition("=")
            if one.check.startswith(READING_PREFIX) and due.rules and due.asked:
                rules = compile_rules(due.rules.pack, due.rules.pay_table, {**version.readings, name: choice})
                try:
                    again = settle_wager(rules, due.asked).returned_cents
                except EngineError:
                    continue
                if again is not None and again + due.added_cents == paid:
                    return True
        return False
