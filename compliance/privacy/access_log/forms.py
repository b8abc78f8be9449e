"""Filter of the page: who, when, and how."""

from typing import Any

from django import forms

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField, PeriodMixin, set_zone
from compliance.privacy.access_log.models import AccessMethod
from compliance.privacy.personal_data.selectors import people_with_details_access


class AccessLogFilter(PeriodMixin, FilterForm):
    person = forms.ChoiceField(label="Who", required=False)
    way = forms.ChoiceField(label="How", required=False, choices=[("", "Any way"), *AccessMethod.choices])
    since = LocalDateTimeField(label="From", required=False)
    until = LocalDateTimeField(label="Until", required=False)

    def __init__(self, *args: Any, casino: Casino, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        person = self.fields["person"]
        assert isinstance(person, forms.ChoiceField)
        people = people_with_details_access(casino).values_list("pk", "name")
        person.choices = [("", "Anybody"), *((str(pk), name) for pk, name in people)]
        set_zone(self, casino.zone)
