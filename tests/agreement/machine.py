"""The state machine that predicts, records and audits acts: the audit must find what was predicted, and nothing else
about it. The rules that choose the acts are in the modules of `acts`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from time import process_time
from typing import Any, ClassVar, cast

from django.db import connection, transaction
from django.http import HttpRequest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from compliance.audit.models import Finding
from compliance.audit.prediction.evaluator import AuditEvaluator, present_prediction
from compliance.audit.prediction.predict import PlannedFindings, predict_findings
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from compliance.core.web.errors import Refusal
from compliance.disputes.services.reminders import remind_of_overdue
from compliance.tables.equipment.consumer import consume_equipment
from compliance.tables.limit_notices.services import advance_notices
from rounds.engine.pack.pack_file import Pack
from rounds.floor.models import Table
from rounds.ledger import EntryError, size_of
from tests.agreement.tally import ActCount, Tally
from tests.compliance.audit.house import House
from tests.compliance.audit.round_builders import START, pack_of, wager
from tests.compliance.disputes.disputed_round import Floor

REFUSED = (Refusal, EntryError)
# What controllers report changes no more than so many rounds, so that an act can be predicted whole.
MAX_ROUNDS = 12
DICE = st.sampled_from([(1, 2, 4), (2, 4, 4), (3, 3, 3), (4, 5, 6)])
MINUTES = st.sampled_from([0, 1, 5, 19, 20, 21, 60])
FEW_MINUTES = st.sampled_from([0, 0, 0, 1, 30])
MOSTLY = st.sampled_from([True] * 7 + [False])
HOLDERS: dict[str, tuple[str, ...]] = {
    Role.GAMES_SUPERVISOR: ("gina",),
    Role.CASINO_SUPERVISOR: ("sid", "sue"),
    Role.SHIFT_MANAGER: ("sam",),
    Role.COMPLIANCE_OFFICER: ("cora",),
    Role.MARKETING: ("mara",),
    Role.INSPECTOR: ("ines",),
    Role.AUTHORITY_OFFICER: ("alf",),
}
SUPERVISORS = st.sampled_from(["sid", "gina", "sue", "sam"])
# Found about a recorded act because of something that is reported or missing later. Each with its reason.
LATER: dict[str, str] = {
    "WAGER-NO-WARNING": "a round reported late shows that a player of a round from paper had wagered under it before",
}

# One finding for all wagers that were settled by another reading, about none of them.
GROUPED = "SETTLE-READING"

Key = tuple[int, str, str, str, int | None, int | None, str]


@dataclass
class Scene:
    """What every example begins with: people, and a table at which nothing was played."""

    floor: Floor
    table: Table
    rules: str
    tally: Tally


class Agreement(RuleBasedStateMachine):
    """Acts at one casino under one rule set. Each example is rolled back."""

    scene: ClassVar[Scene]

    def __init__(self) -> None:
        super().__init__()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()
        self.house = House(self.scene.floor.crew)
        self.house.rules[self.scene.table.slug] = self.scene.rules
        self.pack: Pack = pack_of(self.scene.rules)
        self.tally = self.scene.tally
        self.now: datetime = START + timedelta(hours=4)
        self.rounds: list[int] = []
        self.is_audited = False
        # Entries of acts, each with the severe findings that were shown before it was recorded.
        self.acted: dict[int, frozenset[str]] = {}
        self.authors: dict[int, str] = {}
        self.known: Counter[Key] = Counter()
        self.trail: list[str] = []
        # Before any act, because a fault that no consumer awaits counts as told by nobody.
        self.consume()
        self.audit()

    def teardown(self) -> None:
        try:
            self.audit()
        finally:
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    @property
    def casino(self) -> Casino:
        return self.house.casino

    @property
    def table(self) -> Table:
        return Table.objects.select_related("casino").get(pk=self.scene.table.pk)

    def person(self, name: str) -> User:
        floor = self.scene.floor
        found: User = getattr(floor, name, None) or getattr(floor.crew.cast, name)
        return found

    def one_of(self, data: st.DataObject, roles: Iterable[str]) -> str:
        """Somebody who holds one of these roles."""
        return data.draw(st.sampled_from([name for role in sorted(set(roles)) for name in HOLDERS.get(role, ())]))

    # --- Comparing ----------------------------------------------------------------------------------------------------

    def act(self, service: Callable[..., Any], by: str, /, **said: Any) -> Any:
        """Predicts, records, audits and compares. Returns what was recorded; None if the service refused the act."""
        self.now += timedelta(seconds=1)
        self.audit()
        count = self.tally.of(service.__name__)
        count.tried += 1
        actor = self.person(by)
        perform = partial(service, **said, actor=actor, now=self.now)
        try:
            planned = self.predict(perform, count)
        except REFUSED as refusal:
            count.refuse(refusal)
            return None
        first = size_of(self.casino.slug)
        self.trail.append(f"{first}: {service.__name__} by {by} at {self.now:%d %H:%M:%S} {said}"[:300])
        made, warned = self.record(perform, planned, actor)
        count.recorded += 1
        count.warned += bool(warned)
        for index in range(first, size_of(self.casino.slug)):
            self.acted[index], self.authors[index] = warned, by
        before = self.known
        self.read_findings()
        self.compare(service.__name__, planned, self.known - before, count)
        return made

    def predict(self, perform: Callable[[], Any], count: ActCount) -> list[PlannedFindings]:
        begun, statements = process_time(), len(connection.queries_log)
        try:
            with transaction.atomic():
                return predict_findings(perform)
        finally:
            count.milliseconds.append((process_time() - begun) * 1000)
            count.statements.append(len(connection.queries_log) - statements)

    def record(
        self, perform: Callable[[], Any], planned: list[PlannedFindings], actor: User
    ) -> tuple[Any, frozenset[str]]:
        """As a page does: with a reason if there is a warning."""
        prediction = present_prediction(planned)
        with transaction.atomic():
            if not prediction.findings:
                return perform(), frozenset()
            request = HttpRequest()
            request.user = cast(Any, actor)
            made = AuditEvaluator().record(perform, prediction, "It happened so.", request)
        return made, frozenset(each.code for each in prediction.findings)

    def compare(self, name: str, planned: list[PlannedFindings], found: Counter[Key], count: ActCount) -> None:
        predicted = Counter(key for each in planned for key in drafted_keys(each))
        if any(each.missing for each in planned):
            # The page says that there are too many rounds; only what is about the act itself was predicted.
            own = {index for each in planned for index in each.planned}
            found = Counter({key: number for key, number in found.items() if key[0] in own})
            self.tally.incomplete += 1
        count.findings += sum(found.values())
        missed, in_vain = found - predicted, predicted - found
        if missed or in_vain:
            parts = (("found, not predicted", missed), ("predicted, not found", in_vain))
            lines = [f"    {title}: {key}" for title, keys in parts for key in keys]
            self.tally.disagreements.append("\n".join([name, *lines, *(f"        {each}" for each in self.trail)]))

    def audit(self) -> None:
        """Audits what controllers and workers reported since the last act. What is found about earlier acts because of
        that must be a listed exception, or have been shown."""
        if self.is_audited:
            return
        before = self.known
        self.read_findings()
        self.is_audited = True
        for key in self.known - before:
            if key[0] in self.acted and key[1] not in self.acted[key[0]] and key[1] not in LATER:
                lines = [f"found later without a warning: {key}", *(f"        {each}" for each in self.trail)]
                self.tally.disagreements.append("\n".join(lines))

    def read_findings(self) -> None:
        self.house.audit()
        rows = Finding.objects.current().filter(casino=self.casino).exclude(code=GROUPED)
        columns = ("subject_index", "code", "wager", "clause", "required_cents", "found_cents", "sentence")
        self.known = Counter(rows.values_list(*columns))

    # --- Controllers, workers and time --------------------------------------------------------------------------------

    def pass_time(self, later: timedelta) -> None:
        """What is due by then is done by the periodic tasks."""
        self.now += later
        advance_notices(now=self.now)
        remind_of_overdue(now=self.now)
        self.consume()

    def consume(self) -> None:
        """The consumers of other apps: custody and faults, which raise alerts."""
        consume_equipment(lambda: self.now, [self.casino.slug])
        self.is_audited = False

    def play(self, dice: tuple[int, int, int] | None, *, ago: timedelta = timedelta(), **breach: Any) -> int:
        """A round that ended just now, or earlier and is reported only now."""
        stake, returned = breach.pop("stake", 1_000), breach.pop("returned", None)
        if dice is None or returned is None:
            returned = stake if dice is None else 2 * stake if is_small(dice) else 0
        if not ago:
            self.now += timedelta(minutes=3)
        started = self.now - timedelta(minutes=2) - ago - START
        bet = wager("small", stake, returned, rules=self.scene.rules, player="p-1")
        index = self.house.play(dice, bet, later=started, now=self.now, **breach)
        self.trail.append(f"{index}: round at {START + started:%d %H:%M:%S} {dice} {stake} {returned} {breach}")
        self.rounds.append(index)
        self.is_audited = False
        return index

    @rule(minutes=MINUTES)
    def wait(self, minutes: int) -> None:
        self.pass_time(timedelta(minutes=minutes))


def is_small(dice: Iterable[int]) -> bool:
    faces = list(dice)
    return sum(faces) <= 10 and len(set(faces)) > 1


def drafted_keys(planned: PlannedFindings) -> list[Key]:
    return [
        (
            each.index,
            each.code,
            each.wager,
            each.clause,
            each.required_cents,
            each.found_cents,
            each.sentence,
        )
        for each in planned.drafts
        if each.code != GROUPED
    ]
