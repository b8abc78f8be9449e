"""What a dispute is about: an entry of the casino's ledger, a round or a claim on a promotional prize."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from compliance.accounts.models import Casino, User
from compliance.disputes.errors import NoSuchRound
from compliance.disputes.ladder import Ladder, ladder_of
from compliance.disputes.promoted import Promoted, read_promoted
from compliance.disputes.reckoning import Reckoned, reckon
from compliance.disputes.standing import readers_of
from compliance.web.errors import NotFound
from rounds.intake.played import ROUND, PlayedRound, read_round
from rounds.ledger.following import Recorded
from rounds.ledger.merkle import MAX_SIZE
from rounds.ledger.searching import entry_at
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, versions_in_force

# Entries of the promotions apps, which lie beside this one: a dispute knows them by their kind alone.
PROMOTION = "promotion-"


@dataclass(frozen=True)
class Subject:
    """`read` is the round; None for a claim, which has no wagers to settle."""

    casino: Casino
    entry: Recorded
    read: PlayedRound | None = None
    version: RuleVersion | None = None

    @property
    def is_promotion(self) -> bool:
        return self.read is None

    @property
    def ladder(self) -> Ladder:
        return ladder_of(pack_of(self.version) if self.version else None, is_promotion=self.is_promotion)

    @property
    def promoted(self) -> Promoted | None:
        """What it is about where that is no round: a claim, terms, a draw."""
        return read_promoted(self.casino, self.entry) if self.is_promotion else None

    @property
    def title(self) -> str:
        promoted = self.promoted
        return promoted.title if promoted else f"Round {self.round or self.entry.index}"

    @property
    def round(self) -> str:
        return self.read.played.round if self.read and self.read.played else ""

    @property
    def dealer(self) -> str:
        """The staff number of whoever dealt: of the tumble, the call or the entry of the result."""
        if self.read is None or self.read.played is None:
            return ""
        played = self.read.played
        people = [event.by for event in played.events] + [each.by for each in (played.called, played.entered) if each]
        return next((who.number for who in people if who and who.position == "dealer" and who.number), "")

    def reckoned(self) -> list[Reckoned]:
        return reckon(self.read) if self.read is not None and self.read.played is not None else []


def access_subject(user: User, casino: Casino, index: int) -> Subject:
    """An entry that can be disputed, of a casino whose disputes the user may read. Others look absent."""
    if not user.holds(*readers_of(is_promotion=True), casino=casino):
        raise NotFound
    subject = subject_at(casino, index)
    if subject is None:
        raise NoSuchRound(status=404)
    if not user.holds(*readers_of(is_promotion=subject.is_promotion), casino=casino):
        raise NotFound
    return subject


def is_promotion_at(casino: Casino, index: int) -> bool:
    entry = entry_at(casino.slug, index) if 0 <= index <= MAX_SIZE else None
    return entry is not None and entry.kind.startswith(PROMOTION)


def subject_at(casino: Casino, index: int) -> Subject | None:
    entry = entry_at(casino.slug, index) if 0 <= index <= MAX_SIZE else None
    if entry is None:
        return None
    if entry.kind == ROUND:
        read = read_round(casino, entry)
        return Subject(casino, entry, read, read.version)
    if entry.kind.startswith(PROMOTION):
        return Subject(casino, entry, version=_promotion_rules(casino, entry.recorded_at))
    return None


def _promotion_rules(casino: Casino, at: datetime) -> RuleVersion | None:
    """The version in force that has duties on promotions; a casino has one such document at most."""
    governing = versions_in_force(casino, at).values()
    return next((version for version in governing if pack_of(version).duties.promotions is not None), None)
