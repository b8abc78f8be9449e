"""The filter above the list of promotions."""

from datetime import datetime

from django import forms
from django.db.models import Q

from compliance.core.web.ui.forms import FilterForm
from promotions.terms.models import TermsVersionQuerySet

PHASES = {"to-come": "To come", "running": "Running", "over": "Over"}


class PromotionFilter(FilterForm):
    name = forms.CharField(label="Name", required=False, max_length=120)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any"), *PHASES.items()])

    def filter_rows(self, rows: TermsVersionQuerySet, now: datetime) -> TermsVersionQuerySet:
        chosen = self.valid_values()
        states = {
            "to-come": Q(starts_at__gt=now),
            "running": Q(starts_at__lte=now) & (Q(ends_at=None) | Q(ends_at__gt=now)),
            "over": Q(ends_at__lte=now),
        }
        return rows.filter(states.get(chosen["state"], Q()), name__icontains=chosen["name"])
