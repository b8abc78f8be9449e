"""Helpers shared by the pages of limits."""

from django import forms
from django.urls import reverse

from compliance.core.accounts.models import Casino
from compliance.core.web.errors import Refusal
from compliance.tables.limit_notices.models import LimitNotice
from compliance.tables.signs.presentation.text import format_amount


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"notices:{name}", kwargs={"casino": casino.slug, **kwargs})


def table_url(casino: Casino, table: str) -> str:
    return reverse("signs:table", kwargs={"casino": casino.slug, "table": table})


def limits_text(notice: LimitNotice) -> str:
    """Text such as "$10 to $500, multiples of the minimum; unit $5; Super Streak $20"."""
    words = [f"{format_amount(notice.min_cents)} to {format_amount(notice.max_cents)}"]
    words += ["multiples of the minimum"] if notice.multiples else []
    words += [f"unit {format_amount(notice.unit_cents)}"] if notice.unit_cents else []
    words += [f"Super Streak {format_amount(notice.streak_cents)}"] if notice.streak_cents else []
    return "; ".join(words)


def add_refusal_error(form: forms.Form, refusal: Refusal) -> None:
    """Adds the refusal to its field, or to the form as a whole. The input is kept."""
    field = getattr(refusal, "field", "")
    form.add_error(field if field in form.fields else None, refusal.full_message)
