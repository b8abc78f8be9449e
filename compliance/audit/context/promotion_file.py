"""PromotionFile: a promotion read from its ledger entries, so that planned records can be checked like stored ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from compliance.audit.context.entry_source import EntrySource, FileEntry
from promotions.claims import entry_kinds as claim_kinds
from promotions.draws import entry_kinds as draw_kinds
from promotions.draws.states import DrawAct
from promotions.terms import entry_kinds as terms_kinds
from promotions.terms.content.terms import Terms
from promotions.terms.models import PromotionAct, VersionKind

PROMOTION_KINDS = (
    terms_kinds.TERMS, terms_kinds.DECIDED, terms_kinds.MATERIAL, terms_kinds.POSTPONED, terms_kinds.VALIDATED,
    draw_kinds.SCHEDULED, *draw_kinds.KIND_BY_ACT.values(), draw_kinds.WINNER, draw_kinds.ATTEMPT,
    draw_kinds.PUBLISHED, claim_kinds.CLAIM, claim_kinds.DECIDED, claim_kinds.TOLD, claim_kinds.PAID,
)  # fmt: skip


@dataclass(frozen=True)
class PromotionFile:
    """A promotion: everything recorded about it, in log order."""

    number: int
    entries: Sequence[FileEntry]

    def entries_of(self, *kinds: str, **members: Any) -> list[FileEntry]:
        """The entries of these kinds whose content has these members."""
        return [
            each
            for each in self.entries
            if each.kind in kinds and all(each.content.get(name) == value for name, value in members.items())
        ]

    # --- Terms ------------------------------------------------------------------------------------------------------

    def terms_in_force(self, at: datetime) -> Terms | None:
        """The newest terms that were filed, or approved as an amendment, by then."""
        approvals = self.entries_of(terms_kinds.DECIDED, decision="approved")
        approved = {each.content["version"] for each in approvals if each.required_instant("at") <= at}
        effective = [
            each
            for each in self.entries_of(terms_kinds.TERMS)
            if (each.content["act"] == VersionKind.FILING and each.required_instant("received_at") <= at)
            or (each.content["act"] == VersionKind.AMENDMENT and each.content["version"] in approved)
        ]
        newest = max(effective, key=lambda each: each.content["version"], default=None)
        return Terms(newest.content["terms"]) if newest else None

    # --- Draws ------------------------------------------------------------------------------------------------------

    def drawn_at(self, draw: int) -> datetime | None:
        """When the draw was held."""
        held = self.entries_of(draw_kinds.HELD, draw=draw)
        return held[0].required_instant("happened_at") if held else None

    def postponed_at(self, draw: int, at: datetime, recorded_at: datetime) -> datetime | None:
        """Since when the draw, or the whole promotion, was postponed and not validated at that time, by what was
        recorded until `recorded_at`."""
        of_draw = self.entries_of(draw_kinds.STOPPED, draw_kinds.RESUMED, draw=draw)
        for steps in (of_draw, self._integrity_steps()):
            in_time = [
                each
                for each in steps
                if each.required_instant("recorded_at") <= recorded_at
                and (
                    (each.content["act"] == PromotionAct.POSTPONED and each.required_instant("happened_at") < at)
                    or (each.content["act"] == PromotionAct.VALIDATED and each.required_instant("happened_at") <= at)
                )
            ]
            if in_time and in_time[-1].content["act"] == PromotionAct.POSTPONED:
                return in_time[-1].required_instant("happened_at")
        return None

    def rescheduled_at(self, draw: int, recorded_at: datetime) -> datetime | None:
        """The time for which a postponed draw was last scheduled again, by what was recorded until then."""
        resumed = self.entries_of(draw_kinds.RESUMED, draw=draw, act=DrawAct.VALIDATED)
        in_time = [each for each in resumed if each.required_instant("recorded_at") <= recorded_at]
        return in_time[-1].instant("scheduled_at") if in_time else None

    def was_postponed(self, at: datetime) -> bool:
        """Whether the whole promotion had been postponed by then, even if it was validated again."""
        return any(each.required_instant("happened_at") <= at for each in self._integrity_steps())

    def _integrity_steps(self) -> list[FileEntry]:
        return self.entries_of(terms_kinds.POSTPONED, terms_kinds.VALIDATED)

    # --- Winners ----------------------------------------------------------------------------------------------------

    def reference(self, winner: FileEntry) -> str:
        return f"P-{self.number}/D{winner.content['draw']}/W{winner.content['winner']}"

    def attempts(self, winner: FileEntry) -> list[FileEntry]:
        """Attempts to notify the winner after the draw, in order of time."""
        drawn_at = self.drawn_at(winner.content["draw"])
        made = self.entries_of(draw_kinds.ATTEMPT, **_winner_members(winner))
        after = [each for each in made if drawn_at and each.required_instant("at") >= drawn_at]
        return sorted(after, key=lambda each: each.required_instant("at"))

    def winners_of_prize(self, winner: FileEntry) -> list[FileEntry]:
        """Those recorded before who won the same prize. A winner whose claim was denied by then does not count: the
        prize may be drawn again."""
        at = winner.required_instant("at")
        same = self.entries_of(draw_kinds.WINNER, prize=winner.content["prize"])
        return [each for each in same if each.index < winner.index and not self._is_denied(each, at)]

    def _is_denied(self, winner: FileEntry, at: datetime) -> bool:
        claims = self.entries_of(claim_kinds.CLAIM, **_winner_members(winner))
        return any(
            decision.required_instant("at") <= at
            for claim in claims
            for decision in self.entries_of(claim_kinds.DECIDED, claim=claim.content["claim"], decision="denied")
        )

    def same_entry_winners(self, winner: FileEntry, terms: Terms) -> list[FileEntry]:
        """Those recorded before with the same entry, unless the terms let an entry win again. Where they do not say,
        only those of the same draw, because another draw may have had the entry in it again."""
        if terms.may_entry_win_again:
            return []
        of_draw = {"draw": winner.content["draw"]} if terms.may_entry_win_again is None else {}
        drawn = winner.content["entry_drawn"].strip().upper()
        return [
            each
            for each in self.entries_of(draw_kinds.WINNER, **of_draw)
            if each.index < winner.index and each.content["entry_drawn"].upper() == drawn
        ]

    # --- Claims -----------------------------------------------------------------------------------------------------

    def claim(self, number: int) -> FileEntry | None:
        return next(iter(self.entries_of(claim_kinds.CLAIM, claim=number)), None)

    def earlier_payments(self, payment: FileEntry, prize: str) -> list[FileEntry]:
        """Those recorded before for the same prize."""
        of_prize = {each.content["claim"] for each in self.entries_of(claim_kinds.CLAIM, prize=prize)}
        paid = self.entries_of(claim_kinds.PAID)
        return [each for each in paid if each.index < payment.index and each.content["claim"] in of_prize]


def _winner_members(winner: FileEntry) -> dict[str, Any]:
    return {"draw": winner.content["draw"], "winner": winner.content["winner"]}


def kept_details(claim: FileEntry, decision: FileEntry) -> frozenset[str] | None:
    """The claimant's details that were given with the claim or at the decision. None if an entry does not say which."""
    giving = [each.content for each in (claim, decision) if each.content.get("person")]
    if any("person_fields" not in content for content in giving):
        return None
    return frozenset(name for content in giving for name in content["person_fields"])


def read_promotion(source: EntrySource, number: int) -> PromotionFile:
    """The promotion with this number, without entries if there is none."""
    return PromotionFile(number, [FileEntry(entry) for entry in source.promotion_entries(number)])
