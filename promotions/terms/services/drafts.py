"""Drafts: each wizard page is saved when it is valid. No ledger entries; filing appends one."""

from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from promotions.shared.permissions import MAY_WRITE, check_roles
from promotions.terms.content.terms import Prize, Terms
from promotions.terms.models import Draft, Promotion, TermsVersion

# Not copied from an earlier promotion, because its dates have passed.
TIME_MEMBERS = ("starts_at", "ends_at", "closes_at", "awarded_at", "earlier_at")


@transaction.atomic
def begin_draft(
    *, casino: Casino, actor: User, now: datetime, promotion: Promotion | None = None, like: TermsVersion | None = None
) -> Draft:
    """Draft of a new promotion, empty or copied from an earlier one without its dates; or of the next version of
    `promotion`."""
    check_roles(actor, casino, MAY_WRITE)
    existing = Draft.objects.filter(promotion=promotion).first() if promotion else None
    if existing is not None:
        return existing
    answers: dict[str, Any] = dict(like.terms.answers) if like else {}
    if promotion is None:
        answers = {item: _terms_without_times_of_day(answer) for item, answer in answers.items()}
    return Draft.objects.create(
        casino=casino, promotion=promotion, answers=answers, begun_by=actor, begun_at=now, changed_at=now
    )


def _terms_without_times_of_day(answer: Any) -> Any:
    if not isinstance(answer, dict):
        return answer
    return {member: value for member, value in answer.items() if member not in TIME_MEMBERS}


def save_answer(*, draft: Draft, item: str, answer: Any, actor: User, now: datetime) -> Draft:
    return _save_change(draft, lambda terms: terms.with_answer(item, answer), actor, now)


def save_prizes(*, draft: Draft, prizes: tuple[Prize, ...], actor: User, now: datetime) -> Draft:
    return _save_change(draft, lambda terms: terms.with_prizes(prizes), actor, now)


@transaction.atomic
def _save_change(draft: Draft, change: Any, actor: User, now: datetime) -> Draft:
    """Locks and re-reads the row, because two people may edit different pages of one draft."""
    check_roles(actor, draft.casino, MAY_WRITE)
    locked = Draft.objects.select_for_update().get(pk=draft.pk)
    changed: Terms = change(locked.terms)
    locked.answers, locked.changed_at = dict(changed.answers), now
    locked.save(update_fields=["answers", "changed_at"])
    return locked


def discard_draft(*, draft: Draft, actor: User) -> None:
    check_roles(actor, draft.casino, MAY_WRITE)
    Draft.objects.filter(pk=draft.pk).delete()
