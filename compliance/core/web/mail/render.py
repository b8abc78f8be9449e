"""What an e-mail says is in a template of its own, whose first line is the subject."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string


class RenderedEmail(NamedTuple):
    subject: str
    body: str


def render_email(template: str, context: Mapping[str, Any]) -> RenderedEmail:
    """Whatever is in the names that it says, the subject is one line: a break in it would be a header's end."""
    subject, _, body = render_to_string(template, dict(context)).strip().partition("\n")
    shown = "".join(letter if letter.isprintable() else " " for letter in subject)
    return RenderedEmail(" ".join(shown.split()), body.strip() + "\n")


def site_base_url() -> str:
    """What a link begins with that is not opened from a page."""
    return str(settings.SITE_ADDRESS)
