"""Rounds: as controllers report them, with chosen breaches, and from paper. What people decide about them later."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from compliance.tables.equipment.models import VoidSet
from compliance.tables.equipment.services.floor_records import already_voided, void_rounds
from compliance.tables.equipment.services.stake_returns import (
    DETERMINATION_KINDS,
    MAY_RETURN_STAKES,
    return_stakes,
    voided_wagers,
)
from compliance.tables.player_conduct.act_types import ACT_TYPES
from compliance.tables.player_conduct.models import ConductAct
from compliance.tables.player_conduct.services import MAY_RECORD, ConductReport, record_conduct
from rounds.intake.services.paper_rounds import confirm_paper_round, enter_paper_round
from rounds.ledger import corrections_of, entry_at
from rounds.rulebook.selectors import roles_for_title
from tests.agreement.machine import DICE, MAX_ROUNDS, MOSTLY, Agreement
from tests.compliance.audit.house import shifted
from tests.compliance.audit.round_builders import START, build_round, void, wager

# What is wrong with a round, if anything: arguments of Agreement.play.
BREACHES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"returned": 0},
    {"returned": 7_000},
    {"stake": 400},
    {"stake": 60_000},
    {"stake": 400, "returned": 400},
    {"tumbles": 2},
    {"called": None},
)
NO_ROUNDS = ("exclusion", "idle-player")


class ActsOnRounds(Agreement):
    @precondition(lambda self: len(self.rounds) < MAX_ROUNDS)
    @rule(dice=DICE, breach=st.sampled_from(BREACHES))
    def play_round(self, dice: tuple[int, int, int], breach: dict[str, Any]) -> None:
        self.play(dice, **breach)

    @precondition(lambda self: len(self.rounds) < MAX_ROUNDS)
    @rule(dice=DICE, breach=st.sampled_from(BREACHES), minutes=st.sampled_from([10, 90, 180]))
    def report_late(self, dice: tuple[int, int, int], breach: dict[str, Any], minutes: int) -> None:
        self.play(dice, ago=timedelta(minutes=minutes), **breach)

    @precondition(lambda self: len(self.rounds) < MAX_ROUNDS)
    @rule(reason=st.sampled_from(["not-flat", "stacked", "device-failed", "broken"]))
    def play_void(self, reason: str) -> None:
        self.play(None, **void(reason))

    @precondition(lambda self: len(self.rounds) < MAX_ROUNDS)
    @rule(data=st.data(), dice=DICE, breach=st.sampled_from(BREACHES), minutes=st.sampled_from([5, 90]))
    def enter_from_paper(
        self, data: st.DataObject, dice: tuple[int, int, int], breach: dict[str, Any], minutes: int
    ) -> None:
        rest = dict(breach)
        stake = rest.pop("stake", 1_000)
        bet = wager("small", stake, rest.pop("returned", 2 * stake), rules=self.scene.rules, player="p-1")
        played_at = self.now - timedelta(minutes=minutes)
        day = START.date() + (played_at.date() - START.date())
        body = build_round(self.scene.rules, dice, bet, round=f"paper-{self.now:%H%M%S}", gaming_day=day, **rest)
        first, second = data.draw(st.permutations(["sid", "sue", "sam"]))[:2]
        paper = enter_paper_round(
            table=self.table,
            played=shifted(body, played_at - START),
            played_at=played_at,
            why="The controller was down.",
            actor=self.person(first),
            now=self.now,
        )
        made = self.act(confirm_paper_round, second, paper=paper)
        if made is not None:
            self.rounds.append(made.entry_index)

    # --- Conduct ------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.rounds)
    @rule(data=st.data(), kind=st.sampled_from(sorted(ACT_TYPES)))
    def judge_conduct(self, data: st.DataObject, kind: str) -> None:
        act_type = ACT_TYPES[kind]
        rules = act_type.rules_in(self.pack)
        known = [ground for ground, _ in act_type.grounds]
        grounds = data.draw(st.sampled_from([ground for ground in known if ground in (rules.grounds or known)]))
        named = frozenset(roles_for_title(self.pack, rules.by)) & MAY_RECORD or MAY_RECORD
        index = data.draw(st.sampled_from(self.rounds))
        report = ConductReport(
            kind=kind,
            grounds=grounds,
            at=self.now - timedelta(minutes=data.draw(st.sampled_from([0, 0, 5]))),
            player="p-1",
            scope=data.draw(st.sampled_from(["game", "casino"])) if kind == "exclusion" else "",
            rounds=[] if kind in NO_ROUNDS or kind == "wager-refusal" else [str(index)],
        )
        if kind != "idle-player" or self.pack.duties.idle_players is None:
            made = self.act(record_conduct, self.one_of(data, named), table=self.table, report=report)
            if made is not None and data.draw(MOSTLY):
                self.hand_back(data, made.entry_index)

    # --- Void rounds --------------------------------------------------------------------------------------------------

    @precondition(lambda self: self.rounds)
    @rule(data=st.data())
    def void_played_round(self, data: st.DataObject) -> None:
        open_rounds = [
            each
            for each in self.rounds
            if not already_voided(self.table, [each]) and not corrections_of(self.casino.slug, [each])
        ]
        if open_rounds:
            index = data.draw(st.sampled_from(open_rounds))
            said = {"dice_set": "D-1", "rounds": [index], "reason": "Chipped."}
            made = self.act(void_rounds, "sam", table=self.table, **said)
            if made is not None and data.draw(MOSTLY):
                self.hand_back(data, made.entry_index)

    @rule(data=st.data())
    def hand_back_later(self, data: st.DataObject) -> None:
        decisions = [
            row.entry_index
            for model in (VoidSet, ConductAct)
            for row in model.objects.filter(casino=self.casino)
            if not corrections_of(self.casino.slug, [row.entry_index])
        ]
        if decisions:
            self.hand_back(data, data.draw(st.sampled_from(decisions)))

    def hand_back(self, data: st.DataObject, because: int) -> None:
        entry = entry_at(self.casino.slug, because)
        assert entry is not None
        if entry.kind not in DETERMINATION_KINDS:
            return
        owed = [each for each in voided_wagers(self.casino, entry) if each.due_cents]
        if owed:
            part = data.draw(st.sampled_from([None, None, owed[0].due_cents // 2 or None]))
            wagers = [each.key for each in (owed[:1] if part else owed)]
            said: dict[str, Any] = {"because": because, "wagers": wagers, "how": "chips", "part_cents": part}
            self.act(return_stakes, self.one_of(data, MAY_RETURN_STAKES), casino=self.casino, **said)
