"""Terms as a value: answers by item of the rule pack, and prizes. Money in cents, times in canonical form."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from rounds.ledger import encode_body

PRIZES = "prizes-and-values"
NO_WAGER = "none"


class Prize(msgspec.Struct, frozen=True, kw_only=True):
    """One prize, or several identical ones. `value_cents` and `liquor_ml` are for each of them."""

    name: str
    type: str
    value_cents: int
    quantity: int = 1
    conditions: str = ""
    details: dict[str, str] = {}
    # Declared contents: items that the rule pack prohibits, and prescribed ones as `prescribed:<id>`.
    includes: tuple[str, ...] = ()
    liquor_ml: int = 0
    # Prohibited items that its words suggest, and that it was declared not to include.
    free_of: tuple[str, ...] = ()
    cash_alternative_cents: int | None = None

    @property
    def is_cash(self) -> bool:
        return self.type == "cash"


@dataclass(frozen=True)
class Terms:
    """Answers of one draft or version, as plain JSON values with typed properties."""

    answers: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.answers.get("name", ""))

    @property
    def prizes(self) -> tuple[Prize, ...]:
        return tuple(msgspec.convert(plain, Prize) for plain in self.answers.get("prizes", []))

    @property
    def starts_at(self) -> datetime | None:
        return self._answer_time("place-date-and-time-of-promotion", "starts_at")

    @property
    def ends_at(self) -> datetime | None:
        return self._answer_time("place-date-and-time-of-promotion", "ends_at")

    @property
    def closes_at(self) -> datetime | None:
        return self._answer_time("closing-of-entries", "closes_at")

    @property
    def awarded_at(self) -> datetime | None:
        return self._answer_time("when-and-where-awarded", "awarded_at")

    @property
    def award_times(self) -> tuple[datetime, ...]:
        """The times of all draws: the last one, and those before it where the terms state several."""
        earlier = self.answer_for("when-and-where-awarded").get("earlier_at") or ()
        return (*map(datetime.fromisoformat, earlier), *((self.awarded_at,) if self.awarded_at else ()))

    @property
    def may_entry_win_again(self) -> bool | None:
        """None where the terms do not say."""
        wins = self.answer_for("manner-of-award").get("wins")
        return wins == "several" if wins else None

    @property
    def is_presence_required(self) -> bool | None:
        presence = self.answer_for("method-of-claiming").get("presence")
        return None if presence is None else presence == "required"

    @property
    def scrutineer(self) -> str:
        return str(self.answer_for("scrutineer").get("name", ""))

    def answer_for(self, item: str) -> Mapping[str, Any]:
        answer = self.answers.get(item)
        return answer if isinstance(answer, Mapping) else {}

    def prize_named(self, name: str) -> Prize | None:
        return next((prize for prize in self.prizes if prize.name == name), None)

    def has_begun(self, now: datetime) -> bool:
        return self.starts_at is not None and self.starts_at <= now

    def with_answer(self, item: str, answer: Any) -> "Terms":
        return Terms({**self.answers, item: answer})

    def with_prizes(self, prizes: tuple[Prize, ...]) -> "Terms":
        return self.with_answer("prizes", [msgspec.to_builtins(prize) for prize in prizes])

    def canonical_text(self) -> str:
        """Canonical JSON, from which the digest is computed."""
        return encode_body(self.answers).decode()

    def _answer_time(self, item: str, member: str) -> datetime | None:
        written = self.answer_for(item).get(member)
        return datetime.fromisoformat(written) if written else None


def terms_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
