"""What the checks of promotions share: the entry with the duties on promotions, terms in force, prohibited prizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.audit.catalogue import record_codes as codes
from compliance.audit.catalogue.finding_code import FindingCode
from compliance.audit.checks.shared.check_types import TimelineCheck
from compliance.audit.context.entry_source import FileEntry
from compliance.audit.context.finding_draft import FindingDraft
from compliance.audit.context.promotion_file import PromotionFile, read_promotion
from compliance.audit.context.rules_in_force import VersionInForce
from compliance.audit.context.timeline import EventContext, LookBack
from promotions.terms.content.prize_rules import all_prohibitions
from promotions.terms.content.terms import Prize, Terms
from rounds.engine import Promotions


@dataclass(frozen=True)
class PromotionContext:
    """An entry, and the rule version in force at its time that has duties on promotions."""

    subject: EventContext
    version: VersionInForce
    duties: Promotions

    @property
    def body(self) -> Any:
        return self.subject.body

    def draft(self, code: FindingCode, *, clause: str, **words: Any) -> FindingDraft:
        return self.subject.draft(code, version=self.version, clause=clause, **words)

    @property
    def entry(self) -> FileEntry:
        return FileEntry(self.subject.event.entry)

    def read_promotion(self, number: int | None = None) -> PromotionFile:
        """The promotion with this number; that of the entry if none is given."""
        chosen = self.body["promotion"] if number is None else number
        return self.subject.cached_read(("promotion", chosen), lambda: read_promotion(self.subject.source, chosen))

    def promotion_of_claim(self, claim: int) -> PromotionFile | None:
        number = self.subject.source.promotion_of_claim(claim)
        return None if number is None else self.read_promotion(number)

    def terms_at(self, promotion: PromotionFile, at: datetime) -> Terms:
        """The terms in force then. If none were filed yet, those in force when the entry was recorded."""
        return promotion.terms_in_force(at) or promotion.terms_in_force(self.subject.event_time) or Terms({})

    def terms_clause(self, item: str) -> str:
        """The clause that requires this item in the terms."""
        return next((each.clause for each in self.duties.terms if each.item == item), self.duties.clause)

    def prescribed_values(self, at: datetime) -> dict[str, str]:
        items = self.subject.cached_read(("prescribed", at), lambda: self.subject.source.prescribed_items_at(at))
        return {each.key: each.item for each in items}

    def format_time(self, at: datetime) -> str:
        local = at.astimezone(self.subject.casino.zone)
        return f"{local.day} {local:%b %Y %H:%M %Z}"


def with_promotion_duties(
    check: Callable[[PromotionContext], Iterable[FindingDraft]],
) -> Callable[[EventContext], Iterator[FindingDraft]]:
    """Wraps a check so that it yields nothing where no rule version in force has duties on promotions."""

    def evaluate(context: EventContext) -> Iterator[FindingDraft]:
        for version in context.versions:
            if version.pack.duties.promotions is not None:
                yield from check(PromotionContext(context, version, version.pack.duties.promotions))
                return

    return evaluate


def prohibited_prize_drafts(
    context: PromotionContext, what: str, prizes: Iterable[Prize], at: datetime
) -> Iterator[FindingDraft]:
    if wrong := all_prohibitions(prizes, context.duties, context.prescribed_values(at)):
        found = "; ".join(each.sentence.rstrip(".") for each in wrong)
        clauses = ", ".join(dict.fromkeys(each.clause for each in wrong))
        required = f"clause {clauses} prohibits it"
        yield context.draft(codes.PROMO_PROHIBITED, clause=wrong[0].clause, what=what, found=found, required=required)


def promotion_check(
    entry_kind: str, check: Callable[[PromotionContext], Iterable[FindingDraft]], *codes: FindingCode
) -> TimelineCheck:
    return TimelineCheck(frozenset(codes), frozenset({entry_kind}), with_promotion_duties(check), LookBack())
