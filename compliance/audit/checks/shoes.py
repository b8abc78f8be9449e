"""Shoes of cards: the cards they must hold, the shoe that a round was dealt from, foreign cards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from compliance.audit.checks.ways_in import OverTime, RoundOverTime
from compliance.audit.drafts import Draft, over_time
from compliance.audit.models import PackedRound
from compliance.audit.seen import RoundSeen
from compliance.audit.stories import Looks, Story, Subject
from rounds.engine.conduct import Cards
from rounds.engine.law import VoidReason
from rounds.engine.packs import Pack

CHANGED, COUNTED, FOREIGN = "shoe-changed", "deck-count", "foreign-card"
# No shoe is dealt from for as long.
IN_PLAY = Looks(frozenset({CHANGED}), timedelta(days=7))
# A card is told of while its round is played.
FOUND_IN = Looks(frozenset({FOREIGN}), timedelta(hours=1))
VOID_FOR_IT = "it makes the round void"


def judge_count(subject: Subject) -> Iterator[Draft]:
    """A shoe as it came into play, or as it was counted; what is not told is not judged."""
    rule, body = (subject.pack.conduct.cards if subject.pack else None), subject.body
    if rule is None:
        return
    wrong = list(_wrong_decks(rule, body.decks)) + list(_wrong_cards(rule, subject))
    if wrong:
        found, required = wrong[0]
        yield subject.draft(
            "CARDS-COUNT", what=f"Shoe {body.shoe}", found=found, required=required, clause=rule.clause,
            explanation=tuple(f"{found.capitalize()} cards; {required} belong there." for found, required in wrong),
        )  # fmt: skip


def _wrong_decks(rule: Cards, decks: int) -> Iterator[tuple[str, str]]:
    if not rule.fewest_decks <= decks <= rule.most_decks:
        most, fewest = rule.most_decks * rule.cards_a_deck, rule.fewest_decks * rule.cards_a_deck
        yield f"{decks} decks of", f"{fewest} to {most}, in {rule.fewest_decks} to {rule.most_decks} decks,"


def _wrong_cards(rule: Cards, subject: Subject) -> Iterator[tuple[str, str]]:
    body = subject.body
    due = body.decks * rule.cards_a_deck
    if body.cards is not None and body.cards != due:
        yield str(body.cards), str(due)
    for each in body.by_face if subject.happened.kind == COUNTED else ():
        if each.cards != body.decks * rule.cards_a_face:
            yield f"{each.cards} of face {each.face},", str(body.decks * rule.cards_a_face)


def judge_shoe(seen: RoundSeen, story: Story) -> Iterator[Draft]:
    """The cards come from the shoe that was put into play last."""
    rule, shoe = seen.pack.conduct.cards, seen.round.shoe
    if rule is None or shoe is None:
        return
    commenced = seen.circumstances.commenced_at(seen.events)
    changes = [each for each in story.happened if each.at <= commenced]
    in_play = changes[-1].body.shoe if changes else None
    if shoe != in_play:
        yield over_time(
            seen, "ROUND-CARDS", what=seen.name, clause=rule.clause, found=f"dealt from {shoe}",
            required=f"{in_play} was in play" if in_play else "no shoe had been put into play",
            evidence=[each.index for each in changes[-1:]],
        )  # fmt: skip


def judge_foreign_card(subject: Subject) -> Iterator[Draft]:
    """Judged here where the round was reported before the card was; otherwise at the round."""
    rule, name = _void_rule(subject.pack), subject.body.round
    if rule is None or name is None:
        return
    rounds = PackedRound.objects.filter(
        log=subject.casino.slug, table=subject.table, round=name, taken_back_index=None, is_void=False,
        entry_index__lt=subject.happened.index,
    )  # fmt: skip
    for index in rounds.values_list("entry_index", flat=True):
        yield subject.draft(
            "CARDS-FOREIGN", what=f"shoe {subject.body.shoe}", found=f"round {name} was settled",
            required=VOID_FOR_IT, clause=rule.clause, evidence=[index],
        )  # fmt: skip


def judge_round_with_foreign_card(seen: RoundSeen, story: Story) -> Iterator[Draft]:
    rule = _void_rule(seen.pack)
    if rule is None or seen.round.no_result is not None:
        return
    for card in story.happened:
        if card.body.round == seen.round.round and card.index < seen.index:
            yield over_time(
                seen, "CARDS-FOREIGN", what=f"shoe {card.body.shoe}", found=f"round {seen.round.round} was settled",
                required=VOID_FOR_IT, clause=rule.clause, evidence=[card.index],
            )  # fmt: skip
            return


def _void_rule(pack: Pack | None) -> VoidReason | None:
    return next((rule for name, rule in pack.law.void.items() if name == FOREIGN), None) if pack else None


CHECKS = (
    OverTime(frozenset({"CARDS-COUNT"}), frozenset({CHANGED, COUNTED}), judge_count, Looks()),
    OverTime(frozenset({"CARDS-FOREIGN"}), frozenset({FOREIGN}), judge_foreign_card, Looks(frozenset({"round"}))),
)
ROUND_CHECKS = (
    RoundOverTime(frozenset({"ROUND-CARDS"}), judge_shoe, IN_PLAY),
    RoundOverTime(frozenset({"CARDS-FOREIGN"}), judge_round_with_foreign_card, FOUND_IN),
)
