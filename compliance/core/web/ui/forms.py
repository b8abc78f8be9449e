"""Form renderer and error texts, the base of filter forms, and fields Django lacks: money in cents, local times,
reasons."""

import re
from collections.abc import Iterable, Mapping
from datetime import MAXYEAR, UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.template import loader
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from compliance.core.web.local_time import format_local, is_ambiguous_time, is_nonexistent_time, zone_abbreviation
from rounds.engine.money import dollars, format_cents

# Limits for typed days: no ledger began before, and a later year is a typing error.
EARLIEST, LATEST = date(2000, 1, 1), date(2199, 12, 31)
KEPT_HINT = "It is kept with the record."
# A time longer ago than this is confirmed before it is saved, because its year is usually a typing error.
LONG_AGO = timedelta(days=365)
# People record what happens at a table on the same day.
RECORDED_WITHIN = timedelta(days=1)


class ComponentFormRenderer(DjangoTemplates):
    """Form renderer: forms and fields from the project's templates, widgets from Django's."""

    form_template_name = "components/form.html"
    field_template_name = "components/field.html"

    def get_template(self, template_name: str) -> Any:
        if template_name.startswith("django/forms/"):
            return super().get_template(template_name)
        return loader.get_template(template_name)

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> str:
        # A browser cuts pasted text at `maxlength` without a word; the form refuses text that is too long instead.
        if "widget" in context:
            context["widget"]["attrs"].pop("maxlength", None)
        if template_name == forms.Select.template_name:
            return render_select(context["widget"])
        return super().render(template_name, context, request)


def render_select(widget: Mapping[str, Any]) -> SafeString:
    """Same output as Django's templates, which include two more for each option: too slow for a list of all codes."""
    parts = [f'<select name="{conditional_escape(widget["name"])}"{_render_attributes(widget["attrs"])}>']
    for group, options, _ in widget["optgroups"]:
        parts += [f'\n  <optgroup label="{conditional_escape(group)}">'] if group else []
        for option in options:
            value, label = conditional_escape(option["value"]), conditional_escape(option["label"])
            parts.append(f'\n  <option value="{value}"{_render_attributes(option["attrs"])}>{label}</option>\n')
        parts += ["\n  </optgroup>"] if group else []
    return SafeString("".join([*parts, "\n</select>"]))


def _render_attributes(attributes: Mapping[str, Any]) -> str:
    return "".join(
        f" {name}" if value is True else f' {name}="{conditional_escape(value)}"'
        for name, value in attributes.items()
        if value is not False
    )


REQUIRED_MESSAGES = {
    "radioselect": "Choose one.",
    "select": "Choose one.",
    "checkboxselectmultiple": "Choose at least one.",
    "selectmultiple": "Choose at least one.",
    "checkbox": "Tick the box to go on.",
    "file": "Choose a file.",
    "clearablefile": "Choose a file.",
    "localdatetime": "Enter a date and a time.",
}


LIMIT_MESSAGES: dict[str | None, str] = {
    "min_value": "Enter {limit_value:,} or more.",
    "max_value": "Enter {limit_value:,} or less.",
    "max_length": "Shorten it to {limit_value:,} characters; it has {show_value:,}.",
}


def form_error_messages(bound: forms.BoundField) -> list[str]:
    """The errors of a field. Replaces Django's "required" and limit messages by ones that say what to do."""
    required_message = REQUIRED_MESSAGES.get(bound.widget_type, "Enter an answer.")
    return [_rephrase_error(error, required_message) for error in bound.errors.as_data()]


def _rephrase_error(error: ValidationError, required: str) -> str:
    if error.message == forms.Field.default_error_messages["required"]:
        return required
    text = " ".join(error.messages)
    is_stock = text.startswith("Ensure this value ")
    return (
        LIMIT_MESSAGES[error.code].format(**error.params or {}) if is_stock and error.code in LIMIT_MESSAGES else text
    )


class MoneyInput(forms.TextInput):
    """A dollar amount, typed as people write it."""

    def __init__(self, attrs: dict[str, Any] | None = None, currency: str = "") -> None:
        super().__init__({"inputmode": "decimal", "autocomplete": "off", "class": "input-money"} | (attrs or {}))
        self.prefix = "$"
        self.suffix = currency


class MoneyField(forms.Field):
    """Dollars on the screen, integer cents in Python: "1,234.50" is 123450."""

    widget = MoneyInput
    AMOUNT = re.compile(r"(?P<dollars>\d{1,3}(?:,\d{3})+|\d+)(?:\.(?P<cents>\d+))?")
    LARGEST_CENTS = 10**15

    def __init__(
        self, *, min_cents: int = 0, max_cents: int = LARGEST_CENTS, currency: str = "", **kwargs: Any
    ) -> None:
        kwargs.setdefault("widget", MoneyInput(currency=currency))
        super().__init__(**kwargs)
        self.min_cents, self.max_cents = min_cents, max_cents

    def to_python(self, value: Any) -> int | None:
        text = str(value or "").strip().removeprefix("$").strip()
        if not text:
            return None
        found = self.AMOUNT.fullmatch(text) if text.isascii() else None
        if found is None:
            raise ValidationError("Enter an amount in dollars, such as 1,234.50.", code="not-an-amount")
        cents = found["cents"] or ""
        if len(cents) > 2:
            raise ValidationError("Enter whole cents: at most two digits after the point.", code="part-of-a-cent")
        return int(found["dollars"].replace(",", "")) * 100 + int(cents.ljust(2, "0"))

    def validate(self, value: Any) -> None:
        super().validate(value)
        if value is None:
            return
        if value < self.min_cents:
            raise ValidationError(f"The amount must be {format_cents(self.min_cents)} or more.", code="too-little")
        if value > self.max_cents:
            raise ValidationError(f"The amount must be {format_cents(self.max_cents)} or less.", code="too-much")

    def prepare_value(self, value: Any) -> Any:
        return dollars(value) if isinstance(value, int) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(initial != self.to_python(data))
        except ValidationError:
            return True


class LocalDateTimeInput(forms.DateTimeInput):
    """A date and time in the casino's time zone, shown next to the input."""

    input_type = "datetime-local"
    template_name = "components/local-date-time.html"
    zone = ZoneInfo("UTC")

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"class": "input-date-time"} | (attrs or {}), format="%Y-%m-%dT%H:%M")

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        text = super().value_from_datadict(data, files, name)
        turn = data.get(f"{name}_turn", "")
        return (text, turn) if turn in ("0", "1") else text

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        text, turn = value if isinstance(value, tuple) else (value, "")
        context: dict[str, Any] = super().get_context(name, text, attrs)
        context["zone"] = zone_display_name(self.zone)
        context["turns"] = _ambiguous_time_choices(text, turn, self.zone)
        return context


def zone_display_name(zone: ZoneInfo) -> str:
    """Sydney time, which is clearer to readers than Australia/Sydney."""
    return "UTC" if zone.key == "UTC" else f"{zone.key.rpartition('/')[2].replace('_', ' ')} time"


def _ambiguous_time_choices(text: Any, chosen: str, zone: ZoneInfo) -> list[dict[str, Any]]:
    """The two choices for a clock time that happens twice because clocks go back; none for any other."""
    local = _parse_clock_time(text)
    if local is None or not is_ambiguous_time(local.replace(tzinfo=zone)):
        return []
    return [
        {
            "value": str(fold),
            "is_chosen": chosen == str(fold),
            "label": f"{order}, in {zone_abbreviation(local.replace(tzinfo=zone, fold=fold))}",
        }
        for fold, order in ((0, "The first time"), (1, "The second time"))
    ]


def _parse_clock_time(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None) if isinstance(text, str) else None
    except ValueError:
        return None


class LocalDateTimeField(forms.Field):
    """Takes a local time, returns an aware UTC datetime.
    Rejects a time that does not exist and asks which of two is meant."""

    widget = LocalDateTimeInput

    def __init__(self, *, zone: ZoneInfo | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.zone = zone or ZoneInfo("UTC")

    @property
    def zone(self) -> ZoneInfo:
        """The casino's time zone; forms set it in __init__."""
        zone: ZoneInfo = self.widget.zone
        return zone

    @zone.setter
    def zone(self, zone: ZoneInfo) -> None:
        self.widget.zone = zone

    def to_python(self, value: Any) -> datetime | None:
        text, turn = value if isinstance(value, tuple) else (value, "")
        if isinstance(text, datetime) or not text:
            return text or None
        clock = _parse_clock_time(text)
        if clock is None:
            raise ValidationError("Enter a date and a time, such as 16 November 2026 at 9:22 pm.", code="not-a-time")
        if not EARLIEST.year <= clock.year < MAXYEAR:
            raise ValidationError(f"Enter a year from {EARLIEST.year} on, with four digits.", code="year")
        local = clock.replace(tzinfo=self.zone, fold=int(turn or 0))
        if is_nonexistent_time(local):
            raise ValidationError(
                "Clocks go forward over this time, so it never happens. Enter the time the clock showed.",
                code="missing-time",
            )
        if is_ambiguous_time(local) and not turn:
            raise ValidationError(
                "Clocks go back over this time, so it happens twice. Choose which of the two.", code="twofold-time"
            )
        return local.astimezone(UTC)

    def prepare_value(self, value: Any) -> Any:
        return value.astimezone(self.zone).strftime("%Y-%m-%dT%H:%M") if isinstance(value, datetime) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(initial != self.to_python(data))
        except ValidationError:
            return True


def set_zone(form: forms.Form, zone: ZoneInfo) -> None:
    """Local times of the form are those of this zone."""
    for field in form.fields.values():
        if isinstance(field, LocalDateTimeField):
            field.zone = zone


def require_confirmation(form: forms.Form, name: str, label: str, question: str) -> None:
    """Adds a box to a form during validation. The form is accepted once it is ticked; what was typed is kept."""
    form.fields[name] = forms.BooleanField(label=label)
    if form.data.get(form.add_prefix(name)) == "on":
        form.cleaned_data[name] = True
    else:
        form.add_error(name, ValidationError(question, code="warning"))


def confirm_old_times(form: forms.Form, times: Iterable[datetime], zone: ZoneInfo, now: datetime) -> None:
    """Asks about times that lie more than a year back."""
    days = dict.fromkeys(f"{time.astimezone(zone):%-d %B %Y}" for time in times if now - time > LONG_AGO)
    if days and not form.errors:
        question = f"{' and '.join(days)}: more than a year ago. Is the year right? If not, correct it above."
        require_confirmation(form, "is_year_right", "Yes, the year is right", question)


def doubts_about_time(at: datetime, zone: ZoneInfo, now: datetime) -> list[str]:
    """A time more than a day ago may be a wrong day, month or year. For the `doubts()` of forms."""
    if now - at <= RECORDED_WITHIN:
        return []
    days = (now - at).days
    ago = "more than a day ago" if days == 1 else f"{days:,} days ago"
    return [f"{format_local(at, zone)} was {ago}. Are day and year right?"]


class PeriodMixin(forms.Form):
    """Base of forms with the fields `since` and `until`, which may be empty. Each form has its own labels."""

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until <= since:
            self.add_error("until", "The end must come after the beginning.")
        return self.cleaned_data


class DayField(forms.DateField):
    """A gaming day, named by the date on which it began."""

    def __init__(self, **kwargs: Any) -> None:
        label = str(kwargs["label"]).lower()
        words = {"required": f"Enter the {label}.", "invalid": "Enter a day, such as 16 November 2026."}
        widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
        super().__init__(widget=widget, error_messages=words, **kwargs)

    def clean(self, value: Any) -> Any:
        day = super().clean(value)
        if day is not None and not EARLIEST <= day <= LATEST:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return day


class ReasonField(forms.CharField):
    """Why something is done. `max_length` is that of the column or ledger entry that stores it."""

    def __init__(
        self, max_length: int | None, missing: str = "Say why.", help_text: str = KEPT_HINT, label: str = "Reason"
    ) -> None:
        widget = forms.Textarea({"rows": 3})
        words = {"required": missing}
        super().__init__(label=label, max_length=max_length, help_text=help_text, widget=widget, error_messages=words)


class ReasonForm(forms.Form):
    """Asks for the reason of an action. The limit is that of the column `reason` of `model`: the database accepts what
    the form accepts. A reason without a column, which is stored in a ledger entry only, has `max_length`."""

    def __init__(
        self,
        *args: Any,
        model: type[models.Model] | None = None,
        max_length: int | None = 500,
        help_text: str = KEPT_HINT,
    ) -> None:
        super().__init__(*args)
        if model is not None:
            column = model._meta.get_field("reason")
            assert isinstance(column, models.CharField)
            max_length = column.max_length
        self.fields["reason"] = ReasonField(max_length, help_text=help_text)


class FilterForm(forms.Form):
    """Base of the GET forms above lists."""

    def valid_values(self) -> dict[str, Any]:
        """The valid values. Invalid ones, typed into the URL by hand, count as not set."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, field.to_python(None)) for name, field in self.fields.items()}
