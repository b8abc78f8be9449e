"""What a dispute is about: an entry of the casino's ledger. A round, one about a promotion, or a described matter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from compliance.core.accounts.models import Casino, User
from compliance.core.web.errors import NotFound
from compliance.disputes.entry_kinds import MATTER, PROMOTION_PREFIX
from compliance.disputes.errors import NoSuchRound
from compliance.disputes.ladder.rungs import Ladder, ladder_of
from compliance.disputes.permissions import reader_roles
from compliance.disputes.subject.assessment import WagerAssessment, assess
from compliance.disputes.subject.subject_text import SubjectText, read_subject_text
from rounds.floor.models import Table
from rounds.floor.selectors import version_for
from rounds.intake.entry_kinds import ROUND
from rounds.intake.round_view import RoundView, read_round
from rounds.ledger import LogEntry, entry_at
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, versions_in_force
from rounds.transparency_log import tree


@dataclass(frozen=True)
class DisputedEntry:
    """The disputed entry. `read` is the round; None for anything else, which has no wagers to settle."""

    casino: Casino
    entry: LogEntry
    read: RoundView | None = None
    version: RuleVersion | None = None

    @property
    def is_promotion(self) -> bool:
        return self.entry.kind.startswith(PROMOTION_PREFIX)

    @property
    def ladder(self) -> Ladder:
        return ladder_of(pack_of(self.version) if self.version else None, is_promotion=self.is_promotion)

    @property
    def text(self) -> SubjectText | None:
        """The promotion's claim, terms or draw, or the matter, as text; None for a round."""
        return read_subject_text(self.casino, self.entry) if self.read is None else None

    @property
    def title(self) -> str:
        text = self.text
        return text.title if text else f"Round {self.round or self.entry.index}"

    @property
    def round(self) -> str:
        return self.read.played.round if self.read and self.read.played else ""

    @property
    def dealer(self) -> str:
        """Staff number of the dealer: from the tumble, the call or the entry of the result."""
        if self.read is None or self.read.played is None:
            return ""
        played = self.read.played
        people = [event.by for event in played.events] + [each.by for each in (played.called, played.entered) if each]
        return next((who.number for who in people if who and who.position == "dealer" and who.number), "")

    def assess_wagers(self) -> list[WagerAssessment]:
        return assess(self.read) if self.read is not None and self.read.played is not None else []


def access_subject(user: User, casino: Casino, index: int) -> DisputedEntry:
    """A disputable entry of a casino whose disputes the user may read. Raises NotFound for others."""
    if not user.has_role(*reader_roles(is_promotion=True), casino=casino):
        raise NotFound
    subject = subject_at(casino, index)
    if subject is None:
        raise NoSuchRound(status=404)
    if not user.has_role(*reader_roles(is_promotion=subject.is_promotion), casino=casino):
        raise NotFound
    return subject


def is_promotion_at(casino: Casino, index: int) -> bool:
    entry = entry_at(casino.slug, index) if 0 <= index <= tree.MAX_SIZE else None
    return entry is not None and entry.kind.startswith(PROMOTION_PREFIX)


def subject_at(casino: Casino, index: int) -> DisputedEntry | None:
    entry = entry_at(casino.slug, index) if 0 <= index <= tree.MAX_SIZE else None
    if entry is None:
        return None
    if entry.kind == ROUND:
        read = read_round(casino, entry)
        return DisputedEntry(casino, entry, read, read.version)
    if entry.kind.startswith(PROMOTION_PREFIX):
        return DisputedEntry(casino, entry, version=_promotion_rules(casino, entry.recorded_at))
    if entry.kind == MATTER:
        return DisputedEntry(casino, entry, version=_matter_rules(casino, entry))
    return None


def _matter_rules(casino: Casino, entry: LogEntry) -> RuleVersion | None:
    """Those in force at the table when it happened; without a table, those of the casino that say who decides."""
    happened_at = datetime.fromisoformat(entry.content()["happened_at"])
    table = Table.objects.filter(casino=casino, slug=entry.table).first() if entry.table else None
    if table is not None:
        return version_for(table, happened_at)
    governing = sorted(versions_in_force(casino, happened_at).items())
    return next((version for _, version in governing if pack_of(version).duties.disputes is not None), None)


def _promotion_rules(casino: Casino, at: datetime) -> RuleVersion | None:
    """The version in force that has duties on promotions; a casino has at most one such document."""
    governing = versions_in_force(casino, at).values()
    return next((version for version in governing if pack_of(version).duties.promotions is not None), None)
