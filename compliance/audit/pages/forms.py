"""The filter form of the list of findings."""

from typing import Any

from django import forms

from compliance.audit.catalogue import CODE_CHOICES
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.selectors import STATES, tables_with_findings_or_cases
from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, set_zone

ANY_CHOICE = ("", "Any")


class FindingsFilter(FilterForm):
    code = forms.ChoiceField(label="Code", required=False, choices=[ANY_CHOICE, *CODE_CHOICES])
    severity = forms.ChoiceField(
        label="Severity",
        required=False,
        choices=[ANY_CHOICE, *((one.value, one.value.capitalize()) for one in Severity)],
    )
    table = forms.ChoiceField(label="Table", required=False)
    since = LocalDateTimeField(label="From", required=False)
    until = LocalDateTimeField(label="Until", required=False)
    state = forms.ChoiceField(label="State", required=False, choices=STATES)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        tables = tables_with_findings_or_cases(casino)
        self.fields["table"].choices = [ANY_CHOICE, *((slug, slug) for slug in tables)]  # type: ignore[attr-defined]
        set_zone(self, casino.zone)
