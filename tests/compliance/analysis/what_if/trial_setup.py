"""Two NSW tables that offer Even, the authority officer Olga, and trials over what was played there."""

from datetime import date, timedelta
from typing import Any

from compliance.analysis.what_if.models import Trial, TrialDifference
from compliance.analysis.what_if.run.worker import run_waiting_trials
from compliance.analysis.what_if.scope import FULL_SCOPE, TrialScope
from compliance.analysis.what_if.services import request_trial
from compliance.analysis.what_if.subjects import TrialSubject, subject_from_readings
from compliance.audit.models import BLOCK_ENTRIES, Finding, ReadingCase
from compliance.core.accounts.roles import Role
from rounds.floor.fact_values import LimitsValue, TableRulesValue, WagersOfferedValue
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import propose_ruling
from tests.compliance.audit.house import NOW, House
from tests.compliance.audit.round_builders import NSW, START, wager
from tests.compliance.audit.run.test_superseded_findings import fill_up_to
from tests.compliance.core.accounts.people import give_phone, hire
from tests.fixture_snapshots import snapshotted
from tests.rounds.floor.crew import gather, new_table, record_table_fact

FIRST_DAY, NEXT_DAY, LATER_DAY = date(2026, 11, 16), date(2026, 11, 17), date(2026, 11, 26)
EVERY_EVEN = {"even": "every-even-total"}
# By index and wager: code, required, found.
Standing = dict[tuple[int, str], tuple[str, int | None, int | None]]


class TrialSetup:
    def __init__(self, house: House) -> None:
        self.house, self.casino = house, house.casino
        self.olga = hire("olga", self.casino, Role.AUTHORITY_OFFICER, by=house.crew.cast.ada)
        give_phone(self.olga)
        first, second = house.open_table(limits=LimitsValue(min=500, max=100_000)), new_table(house.crew, "sb-2")
        house.rules["sb-2"] = NSW
        record_table_fact(house.crew, second, TableRulesValue(rules=NSW))
        for table in (first, second):
            house.state(table, WagersOfferedValue(wagers=("even",)), at=table.added_at)

    @property
    def version(self) -> RuleVersion:
        return self.casino.rule_versions.get(number=1)

    def play_both_days(self) -> None:
        """Even at a total of 10, at two tables on two days: collected as printed, paid by a table that uses the other
        reading, paid wrongly by both; and wagers that no reading of Even affects."""
        house, tomorrow = self.house, timedelta(days=1)
        house.play((4, 2, 4), wager("even", 1_000, 0, id="collected"), wager("small", 500, 1_000, id="small"))
        house.play((4, 2, 4), wager("even", 2_000, 4_000, id="paid", player="p-02"))
        house.play((4, 2, 4), wager("even", 1_000, 1_500, id="wrong"), wager("small", 500, 1_100, id="over"))
        house.play((6, 6, 6), wager("even", 3_000, 6_000, id="triple", player=None, seat=4), table="sb-2")
        house.play((1, 2, 3), wager("even", 1_000, 2_000, id="six"), table="sb-2")
        house.play((4, 2, 4), wager("even", 5_000, 0, id="next-day"), table="sb-2", later=tomorrow, gaming_day=NEXT_DAY)
        house.audit()

    def read_otherwise(self) -> TrialSubject:
        return subject_from_readings(self.version, EVERY_EVEN)

    def ask(self, subject: TrialSubject | None = None, scope: TrialScope = FULL_SCOPE) -> Trial:
        return request_trial(
            casino=self.casino, subject=subject or self.read_otherwise(), scope=scope, actor=self.olga, now=NOW
        )

    def try_it(self, subject: TrialSubject | None = None, scope: TrialScope = FULL_SCOPE) -> Trial:
        trial = self.ask(subject, scope)
        run_waiting_trials(lambda: NOW)
        trial.refresh_from_db()
        return trial

    def adopt(self) -> None:
        """Adopts the ruling by which every even total wins, from before the first round on, and audits again."""
        ruling = propose_ruling(
            version=self.version,
            reading="even",
            choice="every-even-total",
            reasons="A slip.",
            wanted_at=START - timedelta(days=1),
            actor=self.house.crew.cast.ines,
            now=NOW,
        )
        approve_version(
            version=ruling,
            effective_at=START - timedelta(days=1),
            time_zone="Australia/Sydney",
            evidence="Gazetted.",
            edge_reason="Printed so.",
            actor=self.olga,
            now=NOW,
        )
        self.house.audit()


@snapshotted
def open_bench() -> TrialSetup:
    return TrialSetup(House(gather()))


@snapshotted
def played_bench() -> TrialSetup:
    bench = open_bench()
    bench.play_both_days()
    return bench


@snapshotted
def long_bench() -> TrialSetup:
    """Two blocks of the log: both days, and ten days later one more round."""
    bench = played_bench()
    fill_up_to(bench.house, BLOCK_ENTRIES)
    lone = wager("even", 1_000, 0, id="later")
    bench.house.play((4, 2, 4), lone, later=timedelta(days=10), gaming_day=LATER_DAY)
    bench.house.audit()
    return bench


def current_findings(log: str) -> Standing:
    """What the audit currently reports on rounds and wagers: findings, and the cases of grouped findings."""
    columns = ("subject_index", "wager", "code", "required_cents", "found_cents")
    found = Finding.objects.current().filter(log=log).exclude(check_name__startswith="reading:")
    cases = ReadingCase.objects.filter(log=log, finding__superseded_at=None)
    of_readings = cases.values_list("subject_index", "wager", "finding__code", "required_cents", "found_cents")
    rows = [*found.values_list(*columns), *of_readings]
    return {(index, wager): (code, required, came_back) for index, wager, code, required, came_back in rows}


def changed(before: Standing, after: Standing) -> dict[tuple[int, str], tuple[Any, Any]]:
    both = before.keys() | after.keys()
    return {key: (before.get(key), after.get(key)) for key in both if before.get(key) != after.get(key)}


def predicted_changes(trial: Trial) -> dict[tuple[int, str], tuple[Any, Any]]:
    """What a trial predicts, in the same form."""
    return {(row.subject_index, row.wager): _change_of(row) for row in trial.found.all()}


def _change_of(row: TrialDifference) -> tuple[Any, Any]:
    now, then = (
        (code, due, row.returned_cents) if code else None
        for code, due in ((row.code_now, row.due_now_cents), (row.code_then, row.due_then_cents))
    )
    return now, then
