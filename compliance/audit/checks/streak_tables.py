"""Super Streak over a session of a table: the screen's own count, the final call, wagers left open at a closing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from compliance.audit.checks.signs import READERS, SIGN_KINDS, Shown
from compliance.audit.checks.ways_in import OverTime, RoundOverTime
from compliance.audit.drafts import Draft, over_time, wager_words
from compliance.audit.models import OpenedStreak, PackedRound
from compliance.audit.packed import round_in
from compliance.audit.seen import RoundSeen
from compliance.audit.stories import Happened, Looks, Story, Subject
from rounds.engine.bets import BETS
from rounds.engine.errors import EngineError
from rounds.engine.outcomes import OUTCOMES, Outcome
from rounds.engine.rules import Rules
from rounds.engine.settle import settle_under
from rounds.engine.settlement import Verdict, WagerAsked
from rounds.engine.streak import TableResult, table_run
from rounds.intake.kinds.round import Wager
from rounds.ledger.following import read_entries_at

STATE, OPENED, CLOSED = "streak-state", "table-opened", "table-closed"
# No run is as long as that, and a day has more rounds than one wants to count through after each of them.
LONG_ENOUGH = 64


@dataclass(frozen=True)
class Played:
    """One round of a gaming day as a streak sees it."""

    index: int
    round: str
    outcome: Outcome | None
    have_lights_failed: bool


def rounds_of_day(log: str, table: str, day: date) -> list[Played]:
    rows = PackedRound.objects.filter(log=log, table=table, gaming_day=day, taken_back_index=None)
    return [
        Played(index, name, None if is_void or outcome < 0 else OUTCOMES[outcome], lights)
        for index, name, outcome, is_void, lights in rows.order_by("started_at", "entry_index").values_list(
            "entry_index", "round", "outcome", "is_void", "have_lights_failed"
        )
    ]


# --- The screen -----------------------------------------------------------------------------------------------------


def judge_screen(subject: Subject) -> Iterator[Draft]:
    """The table's own counter is a second witness: it must say what the day's results say."""
    circumstances, streak = subject.circumstances, subject.pack.law.streak if subject.pack else None
    pay_table = circumstances.pay_table_of(None) if circumstances else None
    if circumstances is None or streak is None or pay_table is None or subject.body.round is None:
        return
    results = _results_up_to(subject, subject.body.round)
    if not results:
        return
    rules, wrong = circumstances.rules(pay_table), []
    for shown in subject.body.streaks:
        run = table_run(rules, shown.pair, (TableResult(each.outcome, each.have_lights_failed) for each in results))
        if (shown.length, shown.side if shown.length else None) != (run.length, run.direction if run.length else None):
            wrong.append((shown, run))
    if wrong:
        yield subject.draft(
            "STREAK-MISCOUNT", what=f"The count after round {subject.body.round}", clause=streak.clause,
            found=" and ".join(_in_a_row(one.length, one.side or one.pair) for one, _ in wrong) + " on its screen",
            required=" and ".join(_in_a_row(run.length, run.direction or one.pair) for one, run in wrong),
            evidence=[results[-1].index],
        )  # fmt: skip


def _in_a_row(length: int, side: str) -> str:
    return f"{length} in a row for {side}"


def _results_up_to(subject: Subject, name: str) -> list[Played]:
    log, table = subject.casino.slug, subject.table
    named = subject.once(("streak-days", table, subject.at.date()), lambda: _days_of_rounds(subject))
    day = named.get(name)
    if day is None:
        return []
    played = subject.once(("streak-rounds", table, day), lambda: rounds_of_day(log, table, day))
    place = next(place for place, each in enumerate(played) if each.round == name)
    return played[max(0, place + 1 - LONG_ENOUGH) : place + 1]


def _days_of_rounds(subject: Subject) -> dict[str, date]:
    """Of the rounds of about this day, which the screen may be counting."""
    today = subject.at.date()
    about = (today - timedelta(days=2), today + timedelta(days=2))
    rows = PackedRound.objects.filter(log=subject.casino.slug, table=subject.table, taken_back_index=None)
    return dict(rows.filter(gaming_day__range=about).values_list("round", "gaming_day"))


# --- The final call -------------------------------------------------------------------------------------------------


def judge_final_call(seen: RoundSeen, story: Story) -> Iterator[Draft]:
    duty = seen.pack.duties.streak_closing
    made = [wager for wager in seen.round.wagers if BETS[wager.bet].is_streak and wager.verdict == "open"]
    if duty is None or not duty.has_final_call or not made:
        return
    call = next((each for each in story.since(OPENED) if _is_call(each)), None)
    for wager in made:
        if call is not None and wager.placed_at > call.at:
            yield over_time(
                seen, "STREAK-FINAL-CALL", what=wager_words(wager.bet, wager.stake, wager.id), wager=wager.id,
                found=f"{wager.placed_at:%H:%M:%S} UTC", required=f"{call.at:%H:%M:%S} UTC", clause=duty.clause,
                evidence=[call.index],
            )  # fmt: skip


def _is_call(happened: Happened) -> bool:
    reader = READERS.get(happened.kind)
    said = reader(happened) if reader else None
    return isinstance(said, Shown) and said.purpose == "streak-final-call"


# --- Closing --------------------------------------------------------------------------------------------------------


def judge_closing(subject: Subject) -> Iterator[Draft]:
    """Play goes on until the running wagers are determined: one that was never reported as ended was left open."""
    duty, opened_at = subject.pack.duties.streak_closing if subject.pack else None, subject.story.last(OPENED)
    if duty is None or subject.circumstances is None:
        return
    log, table, day = subject.casino.slug, subject.table, subject.body.gaming_day
    rows = PackedRound.objects.filter(
        log=log, table=table, gaming_day=day, taken_back_index=None, started_at__lte=subject.at
    )
    if opened_at is not None:
        rows = rows.filter(started_at__gte=opened_at.at)
    indexes = set(rows.values_list("entry_index", flat=True))
    if not OpenedStreak.objects.filter(log=log, entry_index__in=indexes).exists():
        return
    for index, wager in _left_open(log, indexes):
        ended = _determined_in(subject, wager, index)
        why = (f"By the results it was determined in round {ended.round}.",) if ended else ()
        yield subject.draft(
            "STREAK-OPEN-AT-CLOSE", what=wager_words(wager.bet, wager.stake, wager.id), wager=wager.id,
            found=subject.clock(subject.at), clause=duty.clause, explanation=why,
            evidence=[index, *([ended.index] if ended else [])],
        )  # fmt: skip


def _left_open(log: str, indexes: set[int]) -> list[tuple[int, Wager]]:
    """Whatever the order in which they arrived: the round in which a wager was made may have come after its last."""
    made: dict[str, tuple[int, Wager]] = {}
    ended: set[str] = set()
    for entry in read_entries_at(log, indexes):
        played = round_in(entry)
        for wager in played.wagers if played else ():
            if BETS[wager.bet].is_streak and wager.verdict == "open":
                made[wager.id] = (entry.index, wager)
            elif BETS[wager.bet].is_streak:
                ended.add(wager.id)
    return [one for wager, one in made.items() if wager not in ended]


def _determined_in(subject: Subject, wager: Wager, index: int) -> Played | None:
    """The round whose result ended it, where one did."""
    circumstances = subject.circumstances
    pay_table = circumstances.pay_table_of(None) if circumstances else None
    played = rounds_of_day(subject.casino.slug, subject.table, subject.body.gaming_day)
    place = next((place for place, each in enumerate(played) if each.index == index), None)
    if circumstances is None or pay_table is None or place is None:
        return None
    rules, after = circumstances.rules(pay_table), played[place + 1 :]
    return next(
        (after[end] for end in range(len(after)) if _is_over(rules, wager, played[place], after[: end + 1])), None
    )


def _is_over(rules: Rules, wager: Wager, opening: Played, after: Sequence[Played]) -> bool:
    asked = WagerAsked(
        bet=BETS[wager.bet], stake_cents=wager.stake, opening=opening.outcome,
        history=tuple(each.outcome for each in after), have_lights_failed=after[-1].have_lights_failed,
    )  # fmt: skip
    try:
        return settle_under(rules, asked).verdict is not Verdict.OPEN
    except EngineError:
        return False


CHECKS = (
    OverTime(frozenset({"STREAK-MISCOUNT"}), frozenset({STATE}), judge_screen, Looks(frozenset({"round"}))),
    OverTime(
        frozenset({"STREAK-OPEN-AT-CLOSE"}), frozenset({CLOSED}), judge_closing, Looks(frozenset({OPENED, "round"}))
    ),
)
ROUND_CHECKS = (RoundOverTime(frozenset({"STREAK-FINAL-CALL"}), judge_final_call, Looks(SIGN_KINDS | {OPENED})),)
