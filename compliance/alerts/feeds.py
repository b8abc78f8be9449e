"""Feeds that cannot be trusted: somebody is told of a conflict, of a signature that does not fit, of an unknown key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compliance.accounts.models import Casino
from compliance.accounts.roles import Role
from compliance.alerts.models import Alert
from compliance.alerts.services import raise_alert
from compliance.alerts.states import State
from compliance.web.moments import Clock
from rounds.intake.recorded import CONFLICT, SIGNATURE, UNKNOWN_KEY
from rounds.ledger.following import Recorded, every_log, follow_to_the_end

CONSUMER = "alerts-feeds"
FOLLOW = "compliance.alerts.tasks.follow_feeds"
FOLLOWED = (CONFLICT, SIGNATURE, UNKNOWN_KEY)
DUTY = "feed-not-trusted"
# No document speaks of controllers: that their words are their own is a rule of the service.
OWN_RULE = "the service's own rule for feeds"
TOLD = (Role.COMPLIANCE_OFFICER, Role.CASINO_SUPERVISOR)


def follow_feeds(clock: Clock, logs: Iterable[str] | None = None) -> int:
    """Take in whatever is new; how many entries the cursor passed."""
    where = every_log() if logs is None else logs
    return follow_to_the_end(CONSUMER, where, lambda entries: take_entries(entries, clock), kinds=FOLLOWED)


def take_entries(entries: Sequence[Recorded], clock: Clock) -> None:
    """The handler of `follow`: one transaction with the cursor. What names no casino's table has nobody to be told."""
    for entry in entries:
        casino = Casino.objects.filter(slug=entry.log).first()
        statement, table = _words(entry), entry.table or ""
        if casino is not None and not _waits(casino, table, statement):
            raise_alert(
                casino=casino, duty=DUTY, to=TOLD, statement=statement, clause=OWN_RULE, table=table,
                about=(entry.log, entry.index), fact_at=entry.recorded_at, now=clock(),
            )  # fmt: skip


def _waits(casino: Casino, table: str, statement: str) -> bool:
    """A controller that has gone wrong does so line after line: until somebody looks, they are told once."""
    return Alert.objects.filter(
        casino=casino, duty=DUTY, table=table, statement=statement, state=State.WAITING
    ).exists()


def _words(entry: Recorded) -> str:
    said = entry.content()
    if entry.kind == UNKNOWN_KEY:
        tables = ", ".join(sorted(said["tables"])) or "no table of ours"
        return f"Somebody speaks for {tables} with a key that no controller has. What they send is refused."
    if entry.kind == SIGNATURE:
        return f"Batches under the key of {said['controller']} are not signed by it, and are refused."
    return f"{said['controller']} sends other bytes under a number it has used before. The first ones stand."
