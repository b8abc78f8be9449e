"""Re-audit: an entry that affects the past reopens just the blocks it affects. Rounds at nine, eleven and one
o'clock."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import transaction

from compliance.audit.models import BLOCK_ENTRIES, Block, Coverage, Finding
from compliance.audit.run.worker import consume_new_entries
from compliance.audit.selectors import audit_gaps
from rounds.floor.fact_values import LimitsValue, WagersOfferedValue
from rounds.ledger.writing.append import correct
from rounds.rulebook.models import MediaType, RuleVersion
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import SourceUpload, propose_ruling, propose_version
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.analysis.what_if.test_audit_command import run
from tests.compliance.audit.checks.round.test_streaks import BIG, SMALL, StreakTable, ended, made
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import NSW, START, wager
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.compliance.core.accounts.people import give_phone, hire

HOUR = timedelta(hours=1)
NINE, ELEVEN, ONE = 0, 1, 2
BLOCKS = (NINE, ELEVEN, ONE)


class LongDay:
    """Three blocks of one table's log, with a round in each, two hours apart; total 10 and Even are wagered on."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.rounds: list[int] = []
        self.table = house.open_table(limits=LimitsValue(min=500, max=100_000))
        house.state(self.table, WagersOfferedValue(wagers=("even",)), at=self.table.added_at)
        self.igor = hire("igor", house.casino, "inspector", by=house.crew.cast.ada)
        give_phone(self.igor)

    def play(self, *, at_noon: Callable[[], object] | None = None) -> None:
        """`at_noon`: what is recorded after the round at eleven, effective from then on."""
        for number in BLOCKS:
            ten, even = wager("total:10", 60_000, 420_000, id="ten"), wager("even", 1_000, 0, id="even")
            self.rounds.append(self.house.play((4, 2, 4), ten, even, later=2 * number * HOUR))
            if number == ELEVEN and at_noon is not None:
                at_noon()
            if number != ONE:
                fill_up_to(self.house, BLOCK_ENTRIES)
        self.house.audit()
        assert self.generations() == [1, 1, 1]
        assert self.house.codes() == []

    def generations(self) -> list[int]:
        return list(Block.objects.order_by("number").values_list("generation", flat=True))

    def propose(self, old: bytes = b"", new: bytes = b"") -> RuleVersion:
        content = (PACK_FOLDER / f"{NSW}.toml").read_bytes()
        assert old in content
        return propose_version(
            casino=self.house.casino,
            pack_content=content.replace(old, new, 1),
            pack_file=f"{NSW}.toml",
            source=SourceUpload(b"The rules of the game, as printed again.\n", "rules.txt", MediaType.TEXT),
            readings={},
            actor=self.house.crew.cora,
            now=NOW,
        )

    def approve(self, version: RuleVersion, from_at: datetime) -> RuleVersion:
        return approve_version(
            version=version,
            effective_at=from_at,
            time_zone="Australia/Sydney",
            evidence="Gazetted.",
            edge_reason="Printed so.",
            actor=self.igor,
            now=NOW,
        )


# One changed byte of the odds: a total of 10 at 7 to 1.
TEN = b'bets = ["total:10", "total:11"], odds = "6 to 1"'
TEN_BETTER = TEN.replace(b"6 to 1", b"7 to 1")


@pytest.fixture
def day(house: House) -> LongDay:
    return LongDay(house)


def take_back_the_round_at_eleven(day: LongDay) -> str:
    with transaction.atomic():
        by = correct("harbour", day.rounds[ELEVEN], {"reason": "Never played.", "by": {"id": 1, "name": "Sid"}}, NOW)
    return f"Entry {by.index} takes entry {day.rounds[ELEVEN]} back."


def new_limits_at_ten(day: LongDay) -> str:
    day.house.state(day.table, LimitsValue(min=500, max=50_000), at=START + HOUR)
    return f"says what held at {day.table.slug} earlier."


def new_version_at_ten(day: LongDay) -> str:
    day.approve(day.propose(TEN, TEN_BETTER), START + HOUR)
    return "of nsw-sic-bo in force."


@pytest.mark.parametrize(
    ("reach", "codes"),
    [
        (take_back_the_round_at_eleven, []),
        (new_limits_at_ten, ["LIMIT-OVER-MAX"]),
        (new_version_at_ten, ["SETTLE-UNDERPAID"]),
    ],
)
def test_what_holds_from_ten_to_twelve_opens_the_block_of_eleven_alone(
    day: LongDay, reach: Callable[[LongDay], str], codes: list[str]
) -> None:
    def at_noon() -> None:
        day.house.state(day.table, LimitsValue(min=500, max=90_000), at=START + 3 * HOUR)
        day.approve(day.propose(), START + 3 * HOUR)

    day.play(at_noon=at_noon)
    before = Coverage.objects.values_list("first", "result_sha256").order_by("first")
    untouched = [row for row in before if row[0] != BLOCK_ENTRIES]
    why = reach(day)
    consume_new_entries("harbour")
    assert [gap.why.endswith(why) for gap in audit_gaps("harbour") if gap.generation == 2] == [True]
    day.house.audit()
    assert day.generations() == [1, 2, 1]
    assert day.house.codes() == codes
    again = Coverage.objects.get(generation=2)
    assert (again.first, again.last) == (BLOCK_ENTRIES, 2 * BLOCK_ENTRIES)
    assert [row for row in before.filter(generation=1) if row[0] != BLOCK_ENTRIES][: len(untouched)] == untouched
    assert day.house.audit() == []


def test_a_ruling_opens_everything_since_and_nothing_before(day: LongDay) -> None:
    day.play()
    ruling = propose_ruling(
        version=day.house.casino.rule_versions.get(),
        reading="even",
        choice="every-even-total",
        reasons="A slip.",
        wanted_at=START + HOUR,
        actor=day.house.crew.cast.ines,
        now=NOW,
    )
    day.approve(ruling, START + HOUR)
    day.house.audit()
    assert day.generations() == [1, 2, 2]
    finding = Finding.objects.current().get()
    assert [case.subject_index for case in finding.cases.all()] == [day.rounds[ELEVEN], day.rounds[ONE]]


def test_one_byte_of_the_odds_changes_the_digest_of_what_was_audited(day: LongDay) -> None:
    """Audited again under the same rules the digests are the same; with one changed figure they differ."""
    day.play()
    digest = Coverage.objects.order_by("first").values_list("engine_sha256", flat=True)
    first = digest[0]
    day.approve(day.propose(), START - HOUR)
    day.house.audit()
    same = Coverage.objects.filter(generation=2, first=0).get()
    truth = {used["truth_sha256"]["1"] for used in same.versions}
    assert truth == {used["truth_sha256"]["1"] for used in Coverage.objects.get(generation=1, first=0).versions}
    day.approve(day.propose(TEN, TEN_BETTER), START - HOUR / 2)
    day.house.audit()
    other = Coverage.objects.filter(generation=3, first=0).get()
    assert other.engine_sha256 not in (first, same.engine_sha256)
    assert {used["truth_sha256"]["1"] for used in other.versions} - truth


def test_findings_say_every_reason_for_which_they_no_longer_stand(day: LongDay) -> None:
    day.play()
    day.house.state(day.table, LimitsValue(min=500, max=50_000), at=START + HOUR)
    day.house.audit()
    assert day.house.codes() == ["LIMIT-OVER-MAX"] * 2
    with transaction.atomic():
        by = correct("harbour", day.rounds[ELEVEN], {"reason": "Never played.", "by": {"id": 1, "name": "Sid"}}, NOW)
    day.house.state(day.table, LimitsValue(min=500, max=60_000), at=START + HOUR / 2, now=NOW + HOUR)
    day.house.state(day.table, LimitsValue(min=500, max=70_000), at=START + HOUR, now=NOW + HOUR)
    day.house.audit()
    gone = Finding.objects.get(subject_index=day.rounds[ELEVEN])
    assert f"Entry {by.index} takes entry {day.rounds[ELEVEN]} back." in gone.superseded_reason
    assert "says what held at sb-1 earlier." in gone.superseded_reason
    assert day.house.codes() == []
    assert set(Block.objects.values_list("reopened_because", flat=True)) == {""}


def test_what_if_tries_an_approved_later_version_and_a_draft_alike(day: LongDay) -> None:
    """420,000 was handed back for 60,000 at 6 to 1; at 7 to 1 it is 480,000."""
    day.approve(day.propose(TEN, TEN_BETTER), START + 24 * HOUR)
    day.propose(TEN, TEN.replace(b"6 to 1", b"5 to 1"))
    day.play()
    kept = (Finding.objects.count(), Coverage.objects.count(), day.generations())
    *approved, _, _, total = run("--casino", "harbour", "--what-if", f"{NSW}@2")
    assert [(one["entry"], one["then"], one["at_stake_cents"]) for one in approved] == [
        (index, "SETTLE-UNDERPAID", 60_000) for index in day.rounds
    ]
    assert (total["differences"], total["at_stake_cents"]) == (3, 180_000)
    *draft, of_ten, _, total = run("--casino", "harbour", "--what-if", f"{NSW}@3", "--from", str(BLOCK_ENTRIES))
    assert [(one["entry"], one["then"], one["at_stake_cents"]) for one in draft] == [
        (index, "SETTLE-OVERPAID", -60_000) for index in day.rounds[ELEVEN:]
    ]
    assert (of_ten["bet"], of_ten["at_stake_cents"], total["at_stake_cents"]) == ("total:10", -120_000, -120_000)
    assert (Finding.objects.count(), Coverage.objects.count(), day.generations()) == kept


class TestARoundThatComesLate:
    """Four in a row were paid 6 to 1 (NSW 7.2); a fifth round of the streak arrives afterwards."""

    def test_the_streaks_that_ran_across_it_are_counted_anew(self, house: House) -> None:
        table = StreakTable(house)
        table.play(SMALL, made())
        missing = table.wait()
        for _ in range(4):
            table.play(SMALL)
        end = table.play(BIG, ended(7_000))
        assert table.found() == []
        fill_up_to(house, BLOCK_ENTRIES)
        house.audit()
        late = house.play(SMALL, later=missing)
        assert table.found() == [("STREAK-MISCOUNT", 11_000, 7_000)]
        assert Finding.objects.get().subject_index == end
        assert list(Block.objects.order_by("number").values_list("generation", flat=True)) == [2, 1]
        assert late > BLOCK_ENTRIES

    def test_where_no_streak_ran_nothing_is_opened(self, house: House) -> None:
        house.open_table()
        house.play((4, 2, 4), wager("small", 2_500, 5_000), later=HOUR)
        fill_up_to(house, BLOCK_ENTRIES)
        house.audit()
        house.play((4, 2, 4), wager("small", 2_500, 5_000))
        house.audit()
        assert set(Block.objects.values_list("generation", flat=True)) == {1}
