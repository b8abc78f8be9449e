"""EntryKind and its registry, and the ledger's own kinds. append() refuses kinds that no app registered.

Each app defines its kinds as constants of its module `entry_kinds`, which the ledger imports when Django starts.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from string import Formatter
from typing import Any

from compliance.core.web.ui.components import Tag
from rounds.engine.money import format_cents
from rounds.ledger.errors import EntryError

Body = Mapping[str, Any]


class Reaudit(Enum):
    """What is audited again because of an entry. The audit has one trigger for each member."""

    CORRECTED_ENTRY = auto()
    DECIDED_ROUNDS = auto()
    FACT_PERIOD = auto()
    RULES_PERIOD = auto()
    NOTIFIED_ENTRY = auto()
    DISPUTED_ROUND = auto()
    ROUNDS_IN_PLAY = auto()
    EXCLUDED_PERSON = auto()


@dataclass(frozen=True, eq=False, repr=False)
class EntryKind(str):
    """A kind of entry: its name, with what pages, the audit, verification and webhooks need to know of it.

    A `str`, like a member of TextChoices: it is compared with `LogEntry.kind` and used in queries as it is.

    `summary` is a function of the body or a template: see SummaryFormatter. `model` is the LedgerModel whose rows are
    written with the entries, as "label.Model". `meaning` explains the label, where it needs that. `occurred_at` is the
    member with the time of occurrence, for the audit's timeline; without it, the controller's clock or the time of
    recording counts. `owner` is the defining module.
    """

    name: str
    label: str
    summary: str | Callable[[Body], str]
    model: str = ""
    meaning: str = ""
    tag: Tag | None = None
    occurred_at: str = ""
    reaudit: Reaudit | None = None
    webhook_event: str = ""
    owner: str = field(init=False)

    def __new__(cls, name: str, *args: Any, **values: Any) -> "EntryKind":
        return super().__new__(cls, name)

    def __post_init__(self) -> None:
        """Registers the kind, for the module that called the constructor."""
        object.__setattr__(self, "owner", sys._getframe(2).f_globals["__name__"])
        object.__setattr__(self, "meaning", self.meaning or f"{self.label}.")
        if _KINDS.setdefault(self.name, self) is not self:
            raise ValueError(f"The entry kind {self.name!r} is defined by {_KINDS[self.name].owner} and {self.owner}.")

    def summarize(self, content: Body) -> str:
        """One line about an entry. Empty if the body is malformed: another version of the service may have written it
        differently."""
        inner = content.get("body")
        body = inner if isinstance(inner, dict) else content
        try:
            if callable(self.summary):
                return self.summary(body)
            return SummaryFormatter().vformat(self.summary, (), body).strip(" ,:;")
        except (KeyError, TypeError, ValueError, AttributeError):
            return ""


_KINDS: dict[str, EntryKind] = {}


class SummaryFormatter(Formatter):
    """Fills a template such as "{dice}: {reason:words}". A member that is missing or null is left out.

    Formats: `words` and `Words` for a slug, `money` for cents, `count` and `list` for a list, `number`. After `count`
    and `number` a noun may follow, in the singular and the plural: "{rounds:count round rounds}".
    """

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        try:
            return super().get_field(field_name, args, kwargs)
        except (KeyError, TypeError):
            return None, field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None:
            return ""
        name, *nouns = format_spec.split(" ")
        text = FORMATS[name](value)
        return f"{text} {nouns[0 if text == '1' else 1]}" if nouns else text


def format_money(cents: Any) -> str:
    return format_cents(cents) if type(cents) is int else "an amount not stated"


FORMATS: Mapping[str, Callable[[Any], str]] = {
    "": str,
    "words": lambda slug: slug.replace("-", " "),
    "Words": lambda slug: slug.replace("-", " ").capitalize(),
    "money": format_money,
    "count": lambda values: str(len(values)),
    "list": ", ".join,
    "number": str,
}


def registered_kinds() -> list[EntryKind]:
    return sorted(_KINDS.values())


def find_kind(name: str) -> EntryKind | None:
    """The kind of an entry; None if no app defines it any more."""
    return _KINDS.get(name)


def require_registered_kind(name: str) -> None:
    if name not in _KINDS:
        raise EntryError("unknown-kind", f"There is no entry kind {name!r}.", "/kind")


CORRECTION = EntryKind(
    "correction",
    "Entry taken back",
    "Entry {corrects}: {reason}",
    meaning="Takes back or amends an earlier entry, with reason and person.",
    tag=Tag("Corrected", "warning"),
    reaudit=Reaudit.CORRECTED_ENTRY,
)
VERIFIED = EntryKind(
    "ledger-verified",
    "Log verified",
    "{size:number entry entries}, {misfits:number difference differences}",
    meaning="The log was read again and compared with all that was computed from it.",
)
KEY_CHANGED = EntryKind(
    "ledger-key-changed",
    "Signing key changed",
    "{reason}",
    meaning="The key that signs the log was changed: to which, and why.",
)
EPOCH = EntryKind(
    "ledger-epoch",
    "New epoch after a restore",
    "Epoch {epoch}: {why}",
    meaning="The log continues after a restore: what was lost, and who confirmed it.",
)
