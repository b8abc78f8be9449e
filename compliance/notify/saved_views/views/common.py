"""Shared by these views: access rule and a view's filters as text."""

import re

from django.http import QueryDict

from compliance.core.accounts.roles import ALL_ROLES
from compliance.core.web.access import require_roles
from compliance.notify.saved_views.models import SavedView

any_role_only = require_roles(*ALL_ROLES)
# Names of search parameters, and suffixes of column names to leave out.
SEARCH_PARAMETERS = frozenset({"q", "search", "words"})
COLUMN_SUFFIX = re.compile(r"(__name|_name|_at|_on|_cents|__number)$")


def filters_text(view: SavedView) -> str:
    """Such as: severity: serious; search: sb-1; sorted by made, the last first"""
    return "; ".join(_filter_text(key, values) for key, values in QueryDict(view.query).lists())


def _filter_text(key: str, values: list[str]) -> str:
    if key.rpartition("-")[2] == "sort":
        field = COLUMN_SUFFIX.sub("", values[-1].removeprefix("-")).replace("_", " ")
        return f"sorted by {field}{', the last first' if values[-1].startswith('-') else ''}"
    name = "search" if key in SEARCH_PARAMETERS else key.replace("_", " ").replace("-", " ")
    return f"{name}: {', '.join('yes' if value == 'on' else value for value in values)}"
