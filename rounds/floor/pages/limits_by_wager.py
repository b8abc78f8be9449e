"""Form fields for limits by type of wager, optional and folded away below the other fields of a form of limits."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django import forms
from django.forms.boundfield import BoundField

from compliance.core.web.ui.forms import MoneyField
from rounds.engine import Pack
from rounds.floor.fact_values import MAX_CENTS, BetLimitsValue, LimitsValue

# Field name prefix by member of BetLimitsValue.
PREFIXES = {"min": "low-", "max": "high-"}
LABELS = {"min": "minimum", "max": "maximum"}


class FoldedMoneyField(MoneyField):
    is_folded = True


class LimitsByWagerMixin(forms.Form):
    """Adds a minimum and a maximum for each type of wager that the rules of the table know. An empty field means that
    the table's own limit holds."""

    folded_label = "Other limits for some types of wager"

    def add_wager_fields(self, pack: Pack | None, before: LimitsValue | None) -> None:
        self.wager_bets = {key: tuple(map(str, wager.bets)) for key, wager in pack.law.wager.items()} if pack else {}
        self.limits_before = dict(before.limits_by_bet) if before else {}
        for key, bets in self.wager_bets.items():
            for member, prefix in PREFIXES.items():
                held = {getattr(self.limits_before.get(bet), member, None) for bet in bets}
                self.fields[prefix + key] = FoldedMoneyField(
                    label=f"{pack.law.wager[key].name}, {LABELS[member]}" if pack else "",
                    min_cents=1,
                    max_cents=MAX_CENTS,
                    required=False,
                    initial=held.pop() if len(held) == 1 else None,
                    help_text="Its boxes have different limits now. Leave it empty to keep them." if held else "",
                )

    @property
    def folded_fields(self) -> list[BoundField]:
        return [self[prefix + key] for key in self.wager_bets for prefix in PREFIXES.values()]

    @property
    def is_folded_open(self) -> bool:
        return any(field.errors or field.value() for field in self.folded_fields)

    def typed_limits_by_bet(self, typed: Mapping[str, Any]) -> dict[str, BetLimitsValue] | msgspec.UnsetType:
        found = {}
        for key, bets in self.wager_bets.items():
            for bet in bets:
                own = BetLimitsValue(**{member: self._typed_limit(typed, member, key, bet) for member in PREFIXES})
                if own != BetLimitsValue():
                    found[bet] = own
        return found or msgspec.UNSET

    def _typed_limit(self, typed: Mapping[str, Any], member: str, key: str, bet: str) -> int | None:
        """An empty field keeps limits that differ among the boxes of the type."""
        amount: int | None = typed.get(PREFIXES[member] + key)
        if amount is None and self.fields[PREFIXES[member] + key].help_text:
            amount = getattr(self.limits_before.get(bet), member, None)
        return amount
