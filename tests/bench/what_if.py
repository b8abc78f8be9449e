"""A reading tried over history, as an authority officer does on screen, beside what it foretells: the rounds audited
again by the same process, once a ruling has adopted it. Both must come to the same, wager by wager."""

from collections.abc import Iterator
from datetime import timedelta

from compliance.accounts.roles import Role
from compliance.audit.models import Coverage
from compliance.audit.scope import EVERYWHERE
from compliance.trials.models import Trial
from compliance.trials.services import ask_for_trial
from compliance.trials.subjects import of_readings
from compliance.trials.trying import try_waiting
from rounds.engine.explain import money
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.services import approve_version, rule_on_reading
from tests.bench.measuring import Case, at_least, figure_of, rate_of
from tests.bench.playing import WAGERS_A_ROUND, BulkFloor, open_floor_under
from tests.bench.size import Size
from tests.compliance.accounts.cast import hire
from tests.compliance.audit.house import NOW
from tests.compliance.audit.play import NSW
from tests.compliance.trials.bench import EVERY_EVEN, changed, foretold, standing
from tests.rounds.floor.crew import OPENING

ONE_WRONG_IN = 50_000
AUDITED_AGAIN = "auditing it again, once adopted"


def cases(size: Size) -> Iterator[Case]:
    """Every table under the document whose Even can be read in several ways; about one wager in fifty is on it."""
    floor = open_floor_under(NSW, frozenset({"even"}), ONE_WRONG_IN)
    floor.play(size.wagers // WAGERS_A_ROUND)
    floor.house.audit()
    before = standing(floor.house.casino.slug)
    trials: list[Trial] = []
    officer = hire("olga", floor.house.casino, Role.AUTHORITY_OFFICER, by=floor.house.crew.cast.ada)
    version = RuleVersion.objects.get(casino=floor.house.casino)

    def try_it() -> int:
        trial = ask_for_trial(
            casino=floor.house.casino, subject=of_readings(version, EVERY_EVEN), scope=EVERYWHERE, actor=officer,
            now=NOW,
        )  # fmt: skip
        try_waiting(lambda: NOW)
        trial.refresh_from_db()
        trials.append(trial)
        return trial.wagers or 0

    tried = [rate_of(try_it) for _ in range(size.times)]
    adopt(floor, version)
    again = rate_of(lambda: audit_again(floor))
    check(trials, changed(before, standing(floor.house.casino.slug)), size)
    yield Case(
        f"what-if of every even total over {size.wagers:,} wagers", "wagers/s", iter(tried).__next__,
        {AUDITED_AGAIN: lambda: again}, {AUDITED_AGAIN: at_least(1)}, figure_of,
    )  # fmt: skip


def adopt(floor: BulkFloor, version: RuleVersion) -> None:
    """From before the first round on."""
    cast, from_at = floor.house.crew.cast, OPENING + timedelta(hours=1)
    officer = hire("otis", floor.house.casino, Role.AUTHORITY_OFFICER, by=cast.ada)
    ruling = rule_on_reading(
        version=version, reading="even", choice=EVERY_EVEN["even"], reasons="A slip.", wanted_at=from_at,
        actor=cast.ines, now=NOW,
    )  # fmt: skip
    approve_version(
        version=ruling, effective_at=from_at, time_zone="Australia/Sydney", evidence="Gazetted.",
        edge_reason="Printed so.", actor=officer, now=NOW,
    )  # fmt: skip


def audit_again(floor: BulkFloor) -> int:
    covered: list[Coverage] = floor.house.audit()
    return sum(each.wagers for each in covered)


def check(trials: list[Trial], differs: object, size: Size) -> None:
    """A quick answer that is wrong would count for nothing."""
    for trial in trials:
        if not trial.is_done or trial.wagers != size.wagers or foretold(trial) != differs:
            raise SystemExit("What was foretold is not what the audit found.")
        print(f"   {trial.differences:,} judged otherwise, {money(trial.more_cents or 0)} more due", flush=True)
