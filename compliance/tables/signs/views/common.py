"""Helpers shared by the pages of signs: the status of a sign in words."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Tag
from compliance.tables.signs.models import Sign, SignPurpose
from compliance.tables.signs.permissions import MAY_MANAGE_DISPLAYS, SUPERVISORS
from compliance.tables.signs.presentation.text import SignFact, sign_facts, time_of_day
from compliance.tables.signs.selectors import clocks_of
from compliance.tables.signs.sign_clock import SignClock
from rounds.floor.permissions import MAY_READ

readers_only = require_roles(*MAY_READ)
supervisors_only = require_roles(*SUPERVISORS)
display_managers_only = require_roles(*MAY_MANAGE_DISPLAYS)
PAGE_REFRESH_SECONDS = 10


@dataclass(frozen=True)
class SignStatus:
    """A sign on a page: its content, its clock, and what follows from them."""

    sign: Sign
    clock: SignClock
    now: datetime

    @property
    def facts(self) -> list[SignFact]:
        return sign_facts(self.sign)

    @property
    def words(self) -> str:
        """Text such as "New minimum $25, from 9:42 pm"."""
        said = ", ".join(f"{fact.label[:1].lower()}{fact.label[1:]} {fact.value}" for fact in self.facts)
        return said[:1].upper() + said[1:]

    @property
    def announced_at(self) -> datetime | None:
        return self.sign.content_time("change_at") or self.sign.content_time("closure_at")

    @property
    def is_in_time(self) -> bool:
        return self.announced_at is None or self.clock.can_be_in_time(self.announced_at)

    @property
    def minutes_left(self) -> int | None:
        """Until it has been up long enough. None while it is down, or if it needs no notice."""
        return self.clock.minutes_left if self.sign.notice_minutes and self.clock.is_up else None

    @property
    def tag(self) -> Tag:
        if self.clock.silent_interval:
            return Tag("Silent", "danger")
        if not self.clock.is_up:
            return Tag("Came down", "danger") if self.clock.intervals else Tag("Not up yet", "warning")
        if not self.is_in_time:
            return Tag("Up too late", "danger")
        return Tag("Up long enough", "success") if self.minutes_left == 0 else Tag("Up", "info")

    @property
    def sentence(self) -> str:
        """Status in one or two sentences, for the person who must act on it."""
        casino, clock = self.sign.casino, self.clock
        rule = f" (clause {self.sign.clause})" if self.sign.clause else ""
        if clock.is_up and clock.displayed_since:
            since = f"Up since {time_of_day(clock.displayed_since, casino)}."
            if not self.sign.notice_minutes:
                return since
            if not self.is_in_time:
                return f"{since} {self._too_late_text(rule)}"
            left = self.minutes_left
            return f"{since} It has been up long enough{rule}." if left == 0 else f"{since} {left} minutes left{rule}."
        down = clock.last_known_up_at
        what = "begins again" if self.sign.removal_restarts_the_clock else "goes on"
        text = f"Last confirmed {time_of_day(down, casino)}; its clock {what} when it is back." if down else ""
        if not self.is_in_time:
            return f"{text} {self._too_late_text(rule)}".strip()
        return text or "Put it up, then tap the button. Its clock starts when it is up, not before."

    def _too_late_text(self, rule: str) -> str:
        earliest = time_of_day(self.clock.earliest_at + timedelta(seconds=59), self.sign.casino)
        return (
            f"It cannot be up for {self.sign.notice_minutes} minutes{rule} before the time it states. "
            f"The earliest possible time is now {earliest}: withdraw it and announce it anew."
        )

    @property
    def purpose(self) -> str:
        return SignPurpose(self.sign.purpose).label


def sign_statuses(signs: list[Sign], now: datetime) -> list[SignStatus]:
    clocks = clocks_of(signs, now)
    return [SignStatus(sign, clocks[sign.pk], now) for sign in signs]
