"""What must be chosen for each kind of report. `chosen()` is what the report's entry will say."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from compliance.accounts.models import Casino
from compliance.audit.catalogue import EVERY_CODE
from compliance.audit.codes import Severity
from compliance.audit.models import Finding
from compliance.audit.selectors import tables_with_findings
from compliance.disclosures.models import Way
from compliance.reports.contents.rounds import access_behind
from compliance.web.errors import NotFound
from compliance.web.forms import LocalDateTimeField
from rounds.ledger.merkle import MAX_SIZE

ALL = ("", "All")


class ReportForm(forms.Form):
    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.casino = casino
        for field in self.fields.values():
            if isinstance(field, LocalDateTimeField):
                field.zone = casino.zone

    def chosen(self) -> dict[str, Any]:
        typed = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in typed.items()}


class CertificateForm(ReportForm):
    """Nothing to choose: it is about the whole log as it stands."""


class DiscrepancyForm(ReportForm):
    since = LocalDateTimeField(label="From", required=False)
    until = LocalDateTimeField(label="Until, not included", required=False)
    severity = forms.ChoiceField(
        label="Severity", required=False, choices=[ALL, *((one.value, one.value.capitalize()) for one in Severity)]
    )
    code = forms.ChoiceField(label="Code", required=False, choices=[ALL, *((one.name, one.name) for one in EVERY_CODE)])
    table = forms.ChoiceField(label="Table", required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        tables = self.fields["table"]
        assert isinstance(tables, forms.ChoiceField)
        tables.choices = [ALL, *((slug, slug) for slug in tables_with_findings(casino))]

    def clean(self) -> dict[str, Any]:
        typed = self.cleaned_data
        since, until = typed.get("since"), typed.get("until")
        if since and until and until <= since:
            self.add_error("until", "The end must come after the beginning.")
        return typed


class LooksForm(ReportForm):
    since = LocalDateTimeField(label="From", required=False)
    until = LocalDateTimeField(label="Until, not included", required=False)
    way = forms.ChoiceField(label="How", required=False, choices=[ALL, *Way.choices])

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until <= since:
            self.add_error("until", "The end must come after the beginning.")
        return self.cleaned_data


class DailyForm(ReportForm):
    day = forms.DateField(
        label="Gaming day",
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": "Enter the gaming day.", "invalid": "Enter a day, such as 16 November 2026."},
    )


class FindingForm(ReportForm):
    finding = forms.IntegerField(
        label="Finding", help_text="The number of its entry in the ledger.", min_value=0, max_value=MAX_SIZE
    )

    def clean_finding(self) -> int:
        index = int(self.cleaned_data["finding"])
        if not Finding.objects.filter(casino=self.casino, entry_index=index).exists():
            raise ValidationError(f"Entry {index} of this log is no finding.")
        return index


class RoundForm(ReportForm):
    round = forms.IntegerField(
        label="Round", help_text="The number of its entry in the ledger.", min_value=0, max_value=MAX_SIZE
    )

    def clean_round(self) -> int:
        index = int(self.cleaned_data["round"])
        try:
            access_behind(self.casino, index)
        except NotFound:
            raise ValidationError(f"Entry {index} of this log is no round.") from None
        return index


FORMS: dict[str, type[ReportForm]] = {
    "discrepancies": DiscrepancyForm,
    "daily": DailyForm,
    "finding": FindingForm,
    "round": RoundForm,
    "certificate": CertificateForm,
    "looks": LooksForm,
}
