"""Duties about promotional prizes: thresholds, prohibited prizes, terms, filing, notification, claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from rounds.engine.pack.vocabulary import Cents, Clause, Count, RoleWord


@dataclass(frozen=True, slots=True)
class Scrutineer:
    """A scrutineer must oversee the draw if any prize is worth strictly more than `over_cents`."""

    clause: Clause
    over_cents: Cents


@dataclass(frozen=True, slots=True)
class CashAlternative:
    # The clause itself requires it of every alternative.
    RETIRED_KEYS: ClassVar = ("must_be_in_terms",)

    clause: Clause
    not_for: tuple[str, ...]


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
    """One item that the terms must contain. `details`: what an item named after a kind of prize must state about it."""

    # The name of the item says which prizes it concerns.
    RETIRED_KEYS: ClassVar = ("only_if",)

    clause: Clause
    item: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TermsShown:
    # Both are required wherever the clause is.
    RETIRED_KEYS: ClassVar = ("referenced_in_marketing", "readily_available")

    clause: Clause


@dataclass(frozen=True, slots=True)
class WinnerNotification:
    """The winner must be contacted by a listed method within this many days, not counting the day of the draw.

    `rolls_over_non_business_days` is the reading `notification-days`: true is `interpretation-act`, false is
    `calendar-days`. `holiday_calendar` is country and subdivision by ISO 3166, such as AU-NSW."""

    # A wrong method is a breach of the whole clause.
    RETIRED_KEYS: ClassVar = ("method_clauses",)

    clause: Clause
    within_days: Count
    methods: tuple[str, ...]
    only_if_presence_not_required: bool
    rolls_over_non_business_days: bool
    holiday_calendar: str = ""

    @property
    def days_reading(self) -> str:
        return "interpretation-act" if self.rolls_over_non_business_days else "calendar-days"


@dataclass(frozen=True, slots=True)
class TermsFiling:
    # A changed version is a filing of its own.
    RETIRED_KEYS: ClassVar = ("change_before_start_restarts",)

    clause: Clause
    filed_with: RoleWord
    hours_before_commencement: Count


@dataclass(frozen=True, slots=True)
class TermsAmendment:
    # A decision about an amendment is recorded by whoever made it.
    RETIRED_KEYS: ClassVar = ("approved_by",)

    clause: Clause


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
    # Whether a draw was postponed or cancelled is recorded with the stop.
    RETIRED_KEYS: ClassVar = ("then",)

    clause: Clause
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
