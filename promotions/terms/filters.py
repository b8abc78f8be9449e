"""The filter above the list of promotions."""

from datetime import datetime

from django import forms
from django.db.models import Q

from promotions.terms.models import TermsVersionQuerySet

PHASES = {"to-come": "To come", "running": "Running", "over": "Over"}


class PromotionFilter(forms.Form):
    name = forms.CharField(label="Name", required=False, max_length=120)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any"), *PHASES.items()])

    def chosen(self) -> dict[str, str]:
        """What can be used of it: a filter typed into the address by hand may be nonsense."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, "") for name in self.fields}

    def narrowed(self, rows: TermsVersionQuerySet, now: datetime) -> TermsVersionQuerySet:
        chosen = self.chosen()
        states = {
            "to-come": Q(starts_at__gt=now),
            "running": Q(starts_at__lte=now) & (Q(ends_at=None) | Q(ends_at__gt=now)),
            "over": Q(ends_at__lte=now),
        }
        return rows.filter(states.get(chosen["state"], Q()), name__icontains=chosen["name"])
