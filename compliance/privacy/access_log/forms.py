"""Filter of the page: who, when, and how."""

from typing import Any

from django import forms

from compliance.core.accounts.models import Casino
from compliance.core.web.ui.forms import FilterForm, LocalDateTimeField
from compliance.privacy.access_log.models import AccessMethod
from compliance.privacy.personal_data.selectors import people_with_details_access


class AccessLogFilter(FilterForm):
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
        for name in ("since", "until"):
            field = self.fields[name]
            assert isinstance(field, LocalDateTimeField)
            field.zone = casino.zone

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until <= since:
            self.add_error("until", "The end must come after the beginning.")
        return self.cleaned_data
