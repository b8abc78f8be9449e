"""Options form of each kind of report. `chosen()` returns what the report's entry records."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from compliance.audit.catalogue import CODE_CHOICES
from compliance.audit.catalogue.finding_code import Severity
from compliance.audit.models import Finding
from compliance.audit.selectors import tables_with_findings
from compliance.core.accounts.models import Casino
from compliance.core.accounts.roles import Role
from compliance.core.web.errors import NotFound
from compliance.core.web.jobs.job import JobState
from compliance.core.web.ui.forms import DayField, FilterForm, LocalDateTimeField, PeriodMixin, set_zone
from compliance.inspection.checklists.selectors import signed_checklists
from compliance.privacy.access_log.models import AccessMethod
from compliance.reports.document.period import MAX_DAYS, Period, day_begins_at
from compliance.reports.kinds import MAY_REPORT, REPORT_KINDS
from compliance.reports.kinds.dispute_file import dispute_of
from compliance.reports.kinds.promotions import promotion_of
from compliance.reports.kinds.round_sheet import access_round
from compliance.reports.kinds.what_if import trial_of
from compliance.reports.states import ScheduleInterval
from rounds.transparency_log import tree

ALL_CHOICE = ("", "All")
SCHEDULABLE = [kind for kind in REPORT_KINDS.values() if kind.can_be_scheduled]


class ReportForm(forms.Form):
    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.casino = casino
        set_zone(self, casino.zone)

    def report_options(self) -> dict[str, Any]:
        typed = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in typed.items()}


class CertificateForm(ReportForm):
    """No options: it covers the whole log."""


class DiscrepancyForm(PeriodMixin, ReportForm):
    since = LocalDateTimeField(label="From", required=False)
    until = LocalDateTimeField(label="Until, not included", required=False)
    severity = forms.ChoiceField(
        label="Severity",
        required=False,
        choices=[ALL_CHOICE, *((one.value, one.value.capitalize()) for one in Severity)],
    )
    code = forms.ChoiceField(label="Code", required=False, choices=[ALL_CHOICE, *CODE_CHOICES])
    table = forms.ChoiceField(label="Table", required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, casino=casino, **kwargs)
        tables = self.fields["table"]
        assert isinstance(tables, forms.ChoiceField)
        tables.choices = [ALL_CHOICE, *((slug, slug) for slug in tables_with_findings(casino))]


class AccessLogForm(PeriodMixin, ReportForm):
    since = LocalDateTimeField(label="From", required=False)
    until = LocalDateTimeField(label="Until, not included", required=False)
    way = forms.ChoiceField(label="How", required=False, choices=[ALL_CHOICE, *AccessMethod.choices])


class DailyForm(ReportForm):
    day = DayField(label="Gaming day")

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        if day_begins_at(self.casino, day) > timezone.now():
            raise ValidationError("This gaming day has not begun yet. Enter an earlier one.")
        return day


class GamingDaysForm(ReportForm):
    """A period of gaming days."""

    first = DayField(label="First gaming day")
    last = DayField(label="Last gaming day", help_text="Included in the period.")

    def clean(self) -> dict[str, Any]:
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last < first:
            self.add_error("last", "The last day must not come before the first.")
        elif first and last and (last - first).days >= MAX_DAYS:
            self.add_error("last", f"A period has at most {MAX_DAYS} days. Choose a day nearer to the first.")
        elif first and day_begins_at(self.casino, first) > timezone.now():
            self.add_error("first", "This gaming day has not begun yet. Enter an earlier one.")
        return self.cleaned_data

    @property
    def period(self) -> Period:
        return Period(self.casino, self.cleaned_data["first"], self.cleaned_data["last"])


class FindingForm(ReportForm):
    finding = forms.IntegerField(
        label="Finding", help_text="The number of its entry in the ledger.", min_value=0, max_value=tree.MAX_SIZE
    )

    def clean_finding(self) -> int:
        index = int(self.cleaned_data["finding"])
        if not Finding.objects.filter(casino=self.casino, entry_index=index).exists():
            raise ValidationError(f"Entry {index} of this log is no finding.")
        return index


class RoundForm(ReportForm):
    round = forms.IntegerField(
        label="Round", help_text="The number of its entry in the ledger.", min_value=0, max_value=tree.MAX_SIZE
    )

    def clean_round(self) -> int:
        index = int(self.cleaned_data["round"])
        try:
            access_round(self.casino, index)
        except NotFound:
            raise ValidationError(f"Entry {index} of this log is no round.") from None
        return index


class ChecklistReportForm(ReportForm):
    checklist = forms.IntegerField(
        label="Checklist", help_text="Its number, which is that of its entry.", min_value=0, max_value=tree.MAX_SIZE
    )

    def clean_checklist(self) -> int:
        index = int(self.cleaned_data["checklist"])
        if not signed_checklists(self.casino).filter(entry_index=index).exists():
            raise ValidationError(f"No signed checklist has the number {index}.")
        return index


class DisputeForm(ReportForm):
    dispute = forms.CharField(label="Dispute", help_text="Its reference, such as D-12.", max_length=20)

    def clean_dispute(self) -> str:
        found = dispute_of(self.casino, str(self.cleaned_data["dispute"]))
        if found is None:
            raise ValidationError("There is no dispute with this reference at this casino.")
        return found.reference


class PromotionForm(ReportForm):
    promotion = forms.CharField(label="Promotion", help_text="Its reference, such as P-3.", max_length=20)

    def clean_promotion(self) -> str:
        found = promotion_of(self.casino, str(self.cleaned_data["promotion"]))
        if found is None:
            raise ValidationError("There is no promotion with this reference at this casino.")
        return found.reference


class WhatIfForm(ReportForm):
    trial = forms.IntegerField(
        label="Trial", help_text="Its number, as its page has it.", min_value=0, max_value=tree.MAX_SIZE
    )

    def clean_trial(self) -> int:
        number = int(self.cleaned_data["trial"])
        if trial_of(self.casino, number) is None:
            raise ValidationError(f"No trial that is done has the number {number}.")
        return number


class ReportScheduleForm(forms.Form):
    kind = forms.ChoiceField(label="Report", choices=[(one.slug, one.title) for one in SCHEDULABLE])
    every = forms.ChoiceField(
        label="How often",
        choices=ScheduleInterval.choices,
        help_text="Made an hour after the gaming day, or the week, is over.",
    )
    to = forms.MultipleChoiceField(
        label="Who gets an e-mail with the link",
        choices=[(role.value, role.label) for role in sorted(MAY_REPORT)],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one role to be told."},
    )

    def roles(self) -> list[Role]:
        return [Role(value) for value in self.cleaned_data["to"]]


class ReportFilter(FilterForm):
    """Filter of the list of reports. Invalid values are ignored."""

    words = forms.CharField(label="Title, number or person", required=False, max_length=100)
    kind = forms.ChoiceField(
        label="Report", required=False, choices=[ALL_CHOICE, *((one.slug, one.title) for one in REPORT_KINDS.values())]
    )
    state = forms.ChoiceField(label="State", required=False, choices=[ALL_CHOICE, *JobState.choices])


FORMS: dict[str, type[ReportForm]] = {
    "discrepancies": DiscrepancyForm,
    "daily": DailyForm,
    "review": GamingDaysForm,
    "notices": GamingDaysForm,
    "equipment": GamingDaysForm,
    "denials": GamingDaysForm,
    "finding": FindingForm,
    "round": RoundForm,
    "dispute": DisputeForm,
    "promotion": PromotionForm,
    "certificate": CertificateForm,
    "checklist": ChecklistReportForm,
    "looks": AccessLogForm,
    "what-if": WhatIfForm,
}
