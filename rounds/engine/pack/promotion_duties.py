"""Duties about promotional prizes: thresholds, prohibited prizes, terms, filing, notification, claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rounds.engine.pack.vocabulary import Cents, Clause, Count, RoleWord


@dataclass(frozen=True, slots=True)
class Scrutineer:
    """A scrutineer must oversee the draw if any prize is worth strictly more than `over_cents`."""

    clause: Clause
    over_cents: Cents


@dataclass(frozen=True, slots=True)
class CashAlternative:
    clause: Clause
    not_for: tuple[str, ...]
    must_be_in_terms: bool


@dataclass(frozen=True, slots=True)
class CashChoice:
    """The winner of a cash prize strictly above `over_cents` chooses how it is paid; methods may be combined."""

    clause: Clause
    over_cents: Cents
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProhibitedPrize:
    """`words` in the text of a prize raise the question whether it includes the item. They prove nothing."""

    clause: Clause
    item: str
    over_litres: Count | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TermsItem:
    """One item that the terms must contain. `only_if`: the condition or kind of prize for which it is required."""

    clause: Clause
    item: str
    only_if: str = ""
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TermsShown:
    clause: Clause
    referenced_in_marketing: bool
    readily_available: bool


@dataclass(frozen=True, slots=True)
class WinnerNotification:
    """The winner must be contacted by a listed method within this many days, not counting the day of the draw.

    `rolls_over_non_business_days` is the reading `notification-days`: true is `interpretation-act`, false is
    `calendar-days`. `holiday_calendar` is country and subdivision by ISO 3166, such as AU-NSW."""

    clause: Clause
    within_days: Count
    methods: tuple[str, ...]
    method_clauses: tuple[Clause, ...]
    only_if_presence_not_required: bool
    rolls_over_non_business_days: bool
    holiday_calendar: str = ""

    @property
    def days_reading(self) -> str:
        return "interpretation-act" if self.rolls_over_non_business_days else "calendar-days"


@dataclass(frozen=True, slots=True)
class TermsFiling:
    clause: Clause
    filed_with: RoleWord
    hours_before_commencement: Count
    change_before_start_restarts: bool


@dataclass(frozen=True, slots=True)
class TermsAmendment:
    clause: Clause
    approved_by: RoleWord


@dataclass(frozen=True, slots=True)
class ClaimDenial:
    """The patron is told the reason. Denials strictly above `record_over_cents` are recorded with `particulars`."""

    clause: Clause
    told: Literal["as-soon-as-practicable"]
    record_clause: Clause
    record_over_cents: Cents
    particulars: tuple[str, ...]
    kept_years: Count


@dataclass(frozen=True, slots=True)
class PromotionDispute:
    clause: Clause
    decided_by: RoleWord
    told_of: str
    right_to_see: RoleWord
    law: str


@dataclass(frozen=True, slots=True)
class IntegrityStop:
    clause: Clause
    then: tuple[Literal["postponed-until-validated", "cancelled"], ...]
    told: RoleWord
    told_at_once: bool


@dataclass(frozen=True, slots=True)
class Promotions:
    clause: Clause
    scrutineer: Scrutineer
    cash_alternative: CashAlternative
    cash_choice: CashChoice
    prohibited: tuple[ProhibitedPrize, ...]
    terms_shown: TermsShown
    terms: tuple[TermsItem, ...]
    notification: WinnerNotification
    filing: TermsFiling
    amendment: TermsAmendment
    denial: ClaimDenial
    dispute: PromotionDispute
    integrity: IntegrityStop
