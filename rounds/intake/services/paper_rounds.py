"""Services for rounds from paper: one supervisor enters a round, a second one confirms it, which appends the entry."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction

from compliance.core.accounts.models import User
from compliance.core.accounts.separation import require_other_person
from compliance.core.web.database.plan import current_plan
from rounds.floor.models import Table
from rounds.floor.permissions import check_has_role
from rounds.intake.entry_kinds import ROUND
from rounds.intake.errors import PaperRoundAlreadyDecided
from rounds.intake.models import PaperRound, PaperState
from rounds.intake.permissions import MAY_ENTER_PAPER
from rounds.intake.protocol.round import Round
from rounds.ledger import NewEntry, append, encode_timestamp, make_entry


@transaction.atomic
def enter_paper_round(
    *,
    table: Table,
    played: Round,
    played_at: datetime,
    why: str,
    actor: User,
    now: datetime,
    warnings: Sequence[str] = (),
    warning_reason: str = "",
) -> PaperRound:
    """Stores a round until a second person has compared it with the paper. Appends nothing to the ledger yet."""
    check_has_role(actor, table.casino, MAY_ENTER_PAPER)
    played.check()
    return PaperRound.objects.create(
        casino=table.casino,
        table=table,
        body=msgspec.json.encode(played).decode(),
        played_at=played_at,
        why=why,
        entered_by=actor,
        entered_at=now,
        warnings=list(warnings),
        warning_reason=warning_reason,
    )


@transaction.atomic
def plan_paper_round(
    *, table: Table, played: Round, played_at: datetime, why: str, actor: User, now: datetime
) -> PaperRound:
    """Plans the entry that confirming the round will append, so that the first person sees what the audit would find.
    Only the name of the second person is not known yet."""
    if current_plan() is None:
        raise RuntimeError("A round from paper is recorded by a second person; this only plans it.")
    paper = enter_paper_round(table=table, played=played, played_at=played_at, why=why, actor=actor, now=now)
    append(table.casino.slug, [_round_entry(paper, confirmed_by=actor)], now)
    return paper


@transaction.atomic
def confirm_paper_round(*, paper: PaperRound, actor: User, now: datetime) -> PaperRound:
    """A second person confirms the round. Appends a `round` entry with its origin: paper, and both people."""
    paper = _lock_undecided(paper, actor)
    [receipt] = append(paper.casino.slug, [_round_entry(paper, confirmed_by=actor)], now)
    return _save_decision(paper, PaperState.CONFIRMED, actor, now, entry_index=receipt.index)


def _round_entry(paper: PaperRound, confirmed_by: User) -> NewEntry:
    table = paper.table.slug
    line = {
        "kind": ROUND,
        "table": table,
        "at": encode_timestamp(paper.played_at),
        "body": msgspec.json.decode(paper.body),
        "origin": _origin_body(paper, confirmed_by),
    }
    return make_entry(ROUND, line, table=table)


def _origin_body(paper: PaperRound, confirmed_by: User) -> dict[str, Any]:
    warned = {"warned_of": paper.warnings, "entered_because": paper.warning_reason} if paper.warnings else {}
    return {
        "how": "paper",
        "why": paper.why,
        "entered_by": paper.entered_by.as_entry_reference(),
        "entered_at": encode_timestamp(paper.entered_at),
        "confirmed_by": confirmed_by.as_entry_reference(),
        **warned,
    }


@transaction.atomic
def refuse_paper_round(*, paper: PaperRound, reason: str, actor: User, now: datetime) -> PaperRound:
    """A second person refuses the round because it differs from the paper. It stays visible as refused; the correct
    round must be entered again."""
    return _save_decision(_lock_undecided(paper, actor), PaperState.REFUSED, actor, now, reason=reason)


def _lock_undecided(paper: PaperRound, actor: User) -> PaperRound:
    rows = PaperRound.objects.select_related("casino", "table", "entered_by")
    paper = rows.select_for_update(no_key=True, of=("self",)).get(pk=paper.pk)
    check_has_role(actor, paper.casino, MAY_ENTER_PAPER)
    if paper.state != PaperState.ENTERED:
        raise PaperRoundAlreadyDecided
    require_other_person(actor, entered=paper.entered_by_id)
    return paper


def _save_decision(paper: PaperRound, state: PaperState, actor: User, now: datetime, **facts: Any) -> PaperRound:
    for name, value in {"state": state, "decided_by": actor, "decided_at": now, **facts}.items():
        setattr(paper, name, value)
    paper.save(update_fields=["state", "decided_by", "decided_at", *facts])
    return paper
