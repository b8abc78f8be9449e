"""Rounds from paper can be withdrawn; the right one is entered anew."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from compliance.core.accounts.models import User
from compliance.core.corrections.registry import CorrectableRecord, register_correctable
from compliance.core.web.ui.links import casino_url
from rounds.intake.entry_kinds import ROUND
from rounds.intake.models import PaperRound
from rounds.intake.permissions import MAY_ENTER_PAPER
from rounds.intake.services.wake_consumers import wake_consumers
from rounds.ledger import LogEntry


def register() -> None:
    register_correctable(
        CorrectableRecord(
            kind=ROUND,
            writers=MAY_ENTER_PAPER,
            find=_find_paper_round,
            page=lambda paper: casino_url("intake:paper-round", paper.casino, paper=paper.pk),
            after=_wake,
            author=_person_who_entered,
        )
    )


def _find_paper_round(entry: LogEntry) -> PaperRound | None:
    """None for rounds that a controller sent or that came from a file."""
    rows = PaperRound.objects.filter(casino__slug=entry.log, entry_index=entry.index)
    return rows.select_related("casino", "table").first()


def _person_who_entered(content: Mapping[str, Any]) -> int | None:
    by = (content.get("origin") or {}).get("entered_by")
    return by.get("id") if isinstance(by, dict) else None


def _wake(paper: PaperRound, actor: User, now: datetime) -> None:
    wake_consumers()
