"""Drafts: each page is kept as soon as it is right. Nothing here is an entry; filing is."""

from datetime import datetime
from typing import Any

from django.db import transaction

from compliance.core.accounts.models import Casino, User
from promotions.shared.permissions import MAY_WRITE, check_roles
from promotions.terms.content.terms import Prize, Terms
from promotions.terms.models import Draft, Promotion, TermsVersion

# What an earlier promotion cannot lend: its times have passed.
TIME_MEMBERS = ("starts_at", "ends_at", "closes_at", "awarded_at")


@transaction.atomic
def begin_draft(
    *, casino: Casino, actor: User, now: datetime, promotion: Promotion | None = None, like: TermsVersion | None = None
) -> Draft:
    """Of a new promotion, empty or like an earlier one without its times; or the next version of one that is there."""
    check_roles(actor, casino, MAY_WRITE)
    there = Draft.objects.filter(promotion=promotion).first() if promotion else None
    if there is not None:
        return there
    answers: dict[str, Any] = dict(like.terms.answers) if like else {}
    if promotion is None:
        answers = {item: _without_times(answer) for item, answer in answers.items()}
    return Draft.objects.create(
        casino=casino, promotion=promotion, answers=answers, begun_by=actor, begun_at=now, changed_at=now
    )


def _without_times(answer: Any) -> Any:
    if not isinstance(answer, dict):
        return answer
    return {member: value for member, value in answer.items() if member not in TIME_MEMBERS}


def save_answer(*, draft: Draft, item: str, answer: Any, actor: User, now: datetime) -> Draft:
    return _save_change(draft, lambda terms: terms.with_answer(item, answer), actor, now)


def save_prizes(*, draft: Draft, prizes: tuple[Prize, ...], actor: User, now: datetime) -> Draft:
    return _save_change(draft, lambda terms: terms.with_prizes(prizes), actor, now)


@transaction.atomic
def _save_change(draft: Draft, change: Any, actor: User, now: datetime) -> Draft:
    """On the row as it is now: two people may work on two pages of one draft."""
    check_roles(actor, draft.casino, MAY_WRITE)
    kept = Draft.objects.select_for_update().get(pk=draft.pk)
    changed: Terms = change(kept.terms)
    kept.answers, kept.changed_at = dict(changed.answers), now
    kept.save(update_fields=["answers", "changed_at"])
    return kept


def discard_draft(*, draft: Draft, actor: User) -> None:
    check_roles(actor, draft.casino, MAY_WRITE)
    draft.delete()
