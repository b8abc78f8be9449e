"""Renders an e-mail from its template, whose first line is the subject."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string


class RenderedEmail(NamedTuple):
    subject: str
    body: str


def render_email(template: str, context: Mapping[str, Any]) -> RenderedEmail:
    """Renders subject and body.
    The subject is forced onto one line: a line break in a name would inject a mail header."""
    subject, _, body = render_to_string(template, dict(context)).strip().partition("\n")
    shown = "".join(letter if letter.isprintable() else " " for letter in subject)
    return RenderedEmail(" ".join(shown.split()), body.strip() + "\n")


def site_base_url() -> str:
    """Scheme and host for absolute links in e-mails and documents."""
    return str(settings.SITE_ADDRESS)
