"""Warnings and players' own limits can be withdrawn. An announced change of limits is withdrawn by its own service,
and a change that came into force by retracting the table's fact."""

from collections.abc import Iterator

from compliance.core.corrections.registry import CorrectableRecord, find_row, register_correctable
from compliance.core.web.ui.links import casino_url
from compliance.tables.limit_notices.models import PlayerLimit, UnderMinimumWarning
from compliance.tables.signs.permissions import SUPERVISORS
from rounds.intake.entry_kinds import PLAYER_LIMIT, UNDER_MINIMUM_WARNING


def register() -> None:
    register_correctable(
        CorrectableRecord(
            kind=UNDER_MINIMUM_WARNING,
            writers=SUPERVISORS,
            find=find_row(UnderMinimumWarning, "casino", "table"),
            page=lambda warning: casino_url("notices:warnings", warning.casino, table=warning.table.slug),
        ),
        CorrectableRecord(
            kind=PLAYER_LIMIT,
            writers=SUPERVISORS,
            find=find_row(PlayerLimit, "casino", "table"),
            page=lambda limit: casino_url("notices:player-limits", limit.casino, table=limit.table.slug),
            dependents=_not_ended,
        ),
    )


def _not_ended(limit: PlayerLimit) -> Iterator[str]:
    """Its sign is up until it is ended."""
    if limit.ended_at is None:
        yield "the limit is in force and its sign is up: end it first"
