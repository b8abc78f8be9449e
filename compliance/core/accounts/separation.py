"""Separation of duties: a person with an earlier part in something cannot approve, review or validate it. Services that
need a second person ask here. What happened outside the service is recorded whoever acted, and the audit flags it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from compliance.core.accounts.models import User
from compliance.core.web.errors import Forbidden


class TookPartBefore(Forbidden):
    code = "took-part-before"
    title = "This is for another person"
    detail = "You have had a part in this, so you cannot approve, review or validate it."
    remedy = "Ask somebody else whose role allows it. Nothing was changed."


def is_other_person(person: User, *earlier: int | None) -> bool:
    """Whether the person is none of those who had an earlier part, given by primary key."""
    return person.pk not in earlier


def people_of_entry(content: Mapping[str, Any]) -> Iterator[int]:
    """The people who recorded an entry: its author, or those who entered and confirmed a line from paper."""
    origin = content.get("origin")
    origin = origin if isinstance(origin, dict) else {}
    for person in (content.get("by"), *(origin.get(member) for member in ("by", "entered_by", "confirmed_by"))):
        if isinstance(person, dict) and isinstance(person.get("id"), int):
            yield person["id"]


def require_other_person(actor: User, **parts: int | Iterable[int] | None) -> None:
    """Raises TookPartBefore. Each part is a verb with those who did it: `proposed=version.proposed_by_id`."""
    for verb, people in parts.items():
        earlier = people if isinstance(people, Iterable) else (people,)
        if not is_other_person(actor, *earlier):
            raise TookPartBefore(f"You {verb} this, so another person has to do what you are about to do.")
