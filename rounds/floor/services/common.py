"""Shared by the floor's services: lock on the casino, check of a new slug, entry for a change to an existing row."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models

from compliance.core.accounts.models import Casino
from rounds.floor.errors import BadSlug, SlugTaken
from rounds.floor.models import SLUG_PATTERN
from rounds.ledger import append, make_entry


def append_entry(kind: str, body: Mapping[str, Any], *, casino: Casino, table: str | None, now: datetime) -> int:
    [receipt] = append(casino.slug, [make_entry(kind, body, table=table)], now)
    return receipt.index


def check_new_slug(slug: str, existing: models.QuerySet[Any]) -> None:
    """Gives a clear refusal in the usual case; the unique constraint is the guarantee."""
    if not re.fullmatch(SLUG_PATTERN, slug):
        raise BadSlug
    if existing.filter(slug=slug).exists():
        raise SlugTaken
