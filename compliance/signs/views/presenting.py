"""What the pages of signs share: addresses, and a sign with its clock in words."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse

from compliance.accounts.models import Casino
from compliance.signs.clock import Clock
from compliance.signs.faces import Fact, facts_of, time_of_day
from compliance.signs.models import Purpose, Sign
from compliance.signs.selectors import clocks_of
from compliance.signs.standing import MAY_SET_UP, SUPERVISORS
from compliance.web.access import held_by
from compliance.web.components import Tag
from rounds.floor.standing import MAY_READ

readers = held_by(*MAY_READ)
supervisors = held_by(*SUPERVISORS)
those_who_set_up = held_by(*MAY_SET_UP)
RENEWED_SECONDS = 10


def address_of(name: str, casino: Casino, **kwargs: object) -> str:
    return reverse(f"signs:{name}", kwargs={"casino": casino.slug, **kwargs})


@dataclass(frozen=True)
class SignNow:
    """A sign on a page: what it states, how its clock stands, and what follows."""

    sign: Sign
    clock: Clock
    now: datetime

    @property
    def facts(self) -> list[Fact]:
        return facts_of(self.sign)

    @property
    def words(self) -> str:
        """New minimum $25, from 9:42 pm"""
        said = ", ".join(f"{fact.label[:1].lower()}{fact.label[1:]} {fact.value}" for fact in self.facts)
        return said[:1].upper() + said[1:]

    @property
    def announced_at(self) -> datetime | None:
        return self.sign.instant("change_at") or self.sign.instant("closure_at")

    @property
    def is_in_time(self) -> bool:
        return self.announced_at is None or self.clock.can_be_in_time(self.announced_at)

    @property
    def minutes_left(self) -> int | None:
        """Until it has been up long enough; None where only its being up counts, or while it is down."""
        return self.clock.minutes_left if self.sign.notice_minutes and self.clock.is_up else None

    @property
    def tag(self) -> Tag:
        if self.clock.silent:
            return Tag("Silent", "danger")
        if not self.clock.is_up:
            return Tag("Came down", "danger") if self.clock.stretches else Tag("Not up yet", "warning")
        if not self.is_in_time:
            return Tag("Up too late", "danger")
        return Tag("Up long enough", "success") if self.minutes_left == 0 else Tag("Up", "info")

    @property
    def sentence(self) -> str:
        """How it stands, in one or two sentences, for somebody who must act on it."""
        casino, clock = self.sign.casino, self.clock
        rule = f" (clause {self.sign.clause})" if self.sign.clause else ""
        if clock.is_up and clock.since_at:
            since = f"Up since {time_of_day(clock.since_at, casino)}."
            if not self.sign.notice_minutes:
                return since
            if not self.is_in_time:
                return f"{since} {self._too_late(rule)}"
            left = self.minutes_left
            return f"{since} It has been up long enough{rule}." if left == 0 else f"{since} {left} minutes left{rule}."
        down = clock.last_down_at
        what = "begins again" if self.sign.removal_restarts_the_clock else "goes on"
        said = f"Last confirmed {time_of_day(down, casino)}; its clock {what} when it is back." if down else ""
        if not self.is_in_time:
            return f"{said} {self._too_late(rule)}".strip()
        return said or "Put it up, then tap the button. Its clock starts when it is up, not before."

    def _too_late(self, rule: str) -> str:
        earliest = time_of_day(self.clock.earliest_at + timedelta(seconds=59), self.sign.casino)
        return (
            f"It cannot be up for {self.sign.notice_minutes} minutes{rule} before the time it states. "
            f"The earliest possible time is now {earliest}: withdraw it and announce it anew."
        )

    @property
    def purpose(self) -> str:
        return Purpose(self.sign.purpose).label


def signs_now(signs: list[Sign], now: datetime) -> list[SignNow]:
    clocks = clocks_of(signs, now)
    return [SignNow(sign, clocks[sign.pk], now) for sign in signs]
