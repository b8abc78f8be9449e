"""A what-if trial of a reading over history, against the audit of the same rounds by one process after a ruling adopted
the reading. Both must agree wager by wager.
"""

from collections.abc import Iterator
from datetime import timedelta

from compliance.analysis.what_if.models import Trial
from compliance.analysis.what_if.run.worker import run_waiting_trials
from compliance.analysis.what_if.scope import FULL_SCOPE
from compliance.analysis.what_if.services import request_trial
from compliance.analysis.what_if.subjects import subject_from_readings
from compliance.audit.models import Coverage
from compliance.core.accounts.roles import Role
from rounds.engine.money import format_cents
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.versions.approve import approve_version
from rounds.rulebook.versions.propose import propose_ruling
from tests.bench.support.bulk_rounds import WAGERS_A_ROUND, BulkFloor, open_floor_under
from tests.bench.support.measurement import Case, at_least, figure_of, rate_of
from tests.bench.support.workload_size import Size
from tests.compliance.analysis.what_if.trial_setup import EVERY_EVEN, changed, current_findings, predicted_changes
from tests.compliance.audit.house import NOW
from tests.compliance.audit.round_builders import NSW
from tests.compliance.core.accounts.people import hire
from tests.rounds.floor.crew import OPENING

ONE_WRONG_IN = 50_000
AUDITED_AGAIN = "auditing it again, once adopted"


def cases(size: Size) -> Iterator[Case]:
    """Every table under the pack whose Even bet has several readings; about one wager in fifty is on it."""
    floor = open_floor_under(NSW, frozenset({"even"}), ONE_WRONG_IN)
    floor.play(size.wagers // WAGERS_A_ROUND)
    floor.house.audit()
    before = current_findings(floor.house.casino.slug)
    trials: list[Trial] = []
    officer = hire("olga", floor.house.casino, Role.AUTHORITY_OFFICER, by=floor.house.crew.cast.ada)
    version = RuleVersion.objects.get(casino=floor.house.casino)

    def try_it() -> int:
        trial = request_trial(
            casino=floor.house.casino,
            subject=subject_from_readings(version, EVERY_EVEN),
            scope=FULL_SCOPE,
            actor=officer,
            now=NOW,
        )
        run_waiting_trials(lambda: NOW)
        trial.refresh_from_db()
        trials.append(trial)
        return trial.wagers or 0

    tried = [rate_of(try_it) for _ in range(size.times)]
    adopt(floor, version)
    again = rate_of(lambda: audit_again(floor))
    check(trials, changed(before, current_findings(floor.house.casino.slug)), size)
    yield Case(
        f"what-if of every even total over {size.wagers:,} wagers",
        "wagers/s",
        iter(tried).__next__,
        {AUDITED_AGAIN: lambda: again},
        {AUDITED_AGAIN: at_least(1)},
        figure_of,
    )


def adopt(floor: BulkFloor, version: RuleVersion) -> None:
    """In force from before the first round on."""
    cast, from_at = floor.house.crew.cast, OPENING + timedelta(hours=1)
    officer = hire("otis", floor.house.casino, Role.AUTHORITY_OFFICER, by=cast.ada)
    ruling = propose_ruling(
        version=version,
        reading="even",
        choice=EVERY_EVEN["even"],
        reasons="A slip.",
        wanted_at=from_at,
        actor=cast.ines,
        now=NOW,
    )
    approve_version(
        version=ruling,
        effective_at=from_at,
        time_zone="Australia/Sydney",
        evidence="Gazetted.",
        edge_reason="Printed so.",
        actor=officer,
        now=NOW,
    )


def audit_again(floor: BulkFloor) -> int:
    covered: list[Coverage] = floor.house.audit()
    return sum(each.wagers for each in covered)


def check(trials: list[Trial], differs: object, size: Size) -> None:
    """Both must agree: the speed of a wrong answer is worthless."""
    for trial in trials:
        if not trial.is_done or trial.wagers != size.wagers or predicted_changes(trial) != differs:
            raise SystemExit("What was foretold is not what the audit found.")
        print(f"   {trial.differences:,} judged otherwise, {format_cents(trial.more_cents or 0)} more due", flush=True)
