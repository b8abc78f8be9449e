"""The decision ladder, read from a rule pack: who decides, in which order, and the right to be advised of afterwards.
Where the document is silent, the ladder has one rung, the operator's own procedure, and is marked silent."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from compliance.core.accounts.roles import Role
from rounds.engine import Pack
from rounds.engine import pack as engine_pack

OWN_PROCEDURE = "operator's own procedure"
# Roles of the operator. Where no document names anybody, any of them may decide.
OPERATOR_ROLES = frozenset({Role.GAMES_SUPERVISOR, Role.CASINO_SUPERVISOR, Role.SHIFT_MANAGER, Role.COMPLIANCE_OFFICER})
STAGE_LABELS = {
    "first-instance": "First decision",
    "review-if-requested": "Review",
    "final": "Final decision",
    "own": "Decision under the operator's own procedure",
}


@dataclass(frozen=True)
class Rung:
    """One rung of the ladder. `decided_by` is the document's term; the roles are the product's."""

    stage: str
    decided_by: str
    roles: frozenset[Role]
    clause: str = ""
    absent: str = ""
    absent_roles: frozenset[Role] = frozenset()
    or_above: bool = False
    by_another_person: bool = False

    @property
    def title(self) -> str:
        return STAGE_LABELS[self.stage]

    @property
    def who(self) -> str:
        """Such as: the games supervisor; in their absence, the casino supervisor"""
        above = " or somebody above" if self.or_above else ""
        absent = f"; in their absence, the {self.absent}" if self.absent else ""
        return f"the {self.decided_by}{above}{absent}"

    def may_be_absent(self, held: Collection[str]) -> bool:
        """Whether nobody of the rank named first may have been there, if a holder of these roles decided."""
        return not self.roles.intersection(held)

    def deciding_role(self, held: Collection[str], *, in_absence: bool = False) -> Role | None:
        """The role in which a holder of these roles may decide here; None if they may not."""
        fitting = self.roles | (self.absent_roles if in_absence else frozenset())
        return next((role for role in Role if role in held and role in fitting), None)


@dataclass(frozen=True)
class Right:
    """The right that a dissatisfied patron must be advised of, and the officer they may see."""

    clause: str
    told_of: str
    officer: str
    law: str


@dataclass(frozen=True)
class Ladder:
    """The rungs in order. `is_silent`: no document says who decides, so nothing here is a rule."""

    rungs: tuple[Rung, ...]
    right: Right | None = None
    covers: tuple[str, ...] = ()
    is_silent: bool = False

    def rung_after(self, place: int) -> Rung | None:
        return self.rungs[place + 1] if place + 1 < len(self.rungs) else None


SILENT_LADDER = Ladder((Rung("own", OWN_PROCEDURE, OPERATOR_ROLES),), is_silent=True)


def ladder_of(pack: Pack | None, *, is_promotion: bool = False) -> Ladder:
    """For a round, from the document's duties on disputes;
    for a promotion, from its clause on disputes about terms."""
    if pack is None:
        return SILENT_LADDER
    return _promotion_ladder(pack) if is_promotion else _round_ladder(pack)


def _round_ladder(pack: Pack) -> Ladder:
    duty = pack.duties.disputes
    if duty is None:
        return SILENT_LADDER
    rungs = tuple(_build_rung(pack, step) for step in duty.steps)
    advice = duty.advice
    right = Right(advice.clause, advice.told_of, advice.right_to_see, advice.law) if advice else None
    return Ladder(rungs, right, duty.covers)


def _promotion_ladder(pack: Pack) -> Ladder:
    if pack.duties.promotions is None:
        return SILENT_LADDER
    duty = pack.duties.promotions.dispute
    rung = Rung("final", duty.decided_by, _roles_for_title(pack.roles[duty.decided_by]), duty.clause)
    return Ladder((rung,), Right(duty.clause, duty.told_of, duty.right_to_see, duty.law), ("the terms of a promotion",))


def _build_rung(pack: Pack, step: engine_pack.DisputeStep) -> Rung:
    named = pack.roles[step.decided_by]
    above = frozenset(Role(role) for role in named.outranked_by) if step.or_above else frozenset()
    absent = pack.roles[step.in_absence] if step.in_absence else None
    return Rung(
        stage=step.stage,
        decided_by=step.decided_by,
        roles=_roles_for_title(named) | above,
        clause=step.clause,
        absent=step.in_absence or "",
        absent_roles=_roles_for_title(absent) if absent else frozenset(),
        or_above=step.or_above,
        by_another_person=step.by_another_person,
    )


def _roles_for_title(meaning: engine_pack.DocumentRole) -> frozenset[Role]:
    return frozenset(Role(role) for role in meaning.means)
