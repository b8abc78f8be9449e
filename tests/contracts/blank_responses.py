"""Responses without rendered templates: permission and status are decided before a page is rendered."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.template.backends.django import Template
from django.utils.safestring import SafeString

from tests.drills.support.full_length import is_full_length

__all__ = ["blank_pages"]


def render_nothing(template: Template, context: Any = None, request: Any = None) -> SafeString:
    return SafeString("")


@contextmanager
def blank_templates() -> Iterator[None]:
    """Views, permission checks and queries run as usual. The intruder drill renders every page for every role as
    well."""
    with pytest.MonkeyPatch.context() as patch:
        if not is_full_length():
            patch.setattr(Template, "render", render_nothing)
        yield


@pytest.fixture
def blank_pages() -> Iterator[None]:
    with blank_templates():
        yield
