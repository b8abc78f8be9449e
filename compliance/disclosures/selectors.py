"""What was seen and taken at a casino, for those who oversee it."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from compliance.accounts.models import Casino
from compliance.disclosures.models import Seen


def seen_at(casino: Casino, chosen: Mapping[str, Any]) -> QuerySet[Seen]:
    """Whatever is not chosen does not narrow it."""
    seen = Seen.objects.filter(casino=casino)
    if chosen.get("person"):
        seen = seen.filter(by_id=int(chosen["person"]))
    if chosen.get("way"):
        seen = seen.filter(way=chosen["way"])
    if chosen.get("since"):
        seen = seen.filter(at__gte=chosen["since"])
    if chosen.get("until"):
        seen = seen.filter(at__lt=chosen["until"])
    return seen
