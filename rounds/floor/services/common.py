"""What the services of the floor share: one at a time, a name that is free, an entry that no row stands for."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models

from compliance.core.accounts.models import Casino
from rounds.floor.errors import BadSlug, SlugTaken
from rounds.floor.models import SLUG_PATTERN
from rounds.ledger import append, make_entry


def lock_casino(casino: Casino) -> None:
    """Two people who choose one name wait for each other, and the second gets a plain answer."""
    Casino.objects.select_for_update(no_key=True).get(pk=casino.pk)


def append_entry(kind: str, body: Mapping[str, Any], *, casino: Casino, table: str | None, now: datetime) -> int:
    [receipt] = append(casino.slug, [make_entry(kind, body, table=table)], now)
    return receipt.index


def check_new_slug(slug: str, existing: models.QuerySet[Any]) -> None:
    """The unique key decides in the end; this gives the usual case its plain answer."""
    if not re.fullmatch(SLUG_PATTERN, slug):
        raise BadSlug
    if existing.filter(slug=slug).exists():
        raise SlugTaken
