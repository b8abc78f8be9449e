"""Card shoes: the number of cards, the shoe a round was dealt from, foreign cards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from compliance.audit.catalogue.play_codes import ROUND_CARDS
from compliance.audit.catalogue.table_codes import CARDS_COUNT, CARDS_FOREIGN
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventContext, History, LookBack
from rounds.engine import Pack
from rounds.engine import pack as engine_pack
from rounds.intake.entry_kinds import DECK_COUNT, FOREIGN_CARD, ROUND, SHOE_CHANGED

# No shoe is in play for longer than this.
SHOE_IN_PLAY = LookBack(frozenset({SHOE_CHANGED}), timedelta(days=7))
# A foreign card is reported while its round is played.
FOREIGN_CARD_LOOK_BACK = LookBack(frozenset({FOREIGN_CARD}), timedelta(hours=1))
VOID_REQUIREMENT_TEXT = "it makes the round void"


def check_card_count(context: EventContext) -> Iterator[FindingDraft]:
    """CARDS-COUNT (`conduct.cards`): a shoe when it came into play or was counted. Figures not reported are not
    checked."""
    rule, body = (context.pack.conduct.cards if context.pack else None), context.body
    if rule is None:
        return
    wrong = list(_wrong_deck_count(rule, body.decks)) + list(_wrong_card_count(rule, context))
    if wrong:
        found, required = wrong[0]
        yield context.draft(
            CARDS_COUNT,
            what=f"Shoe {body.shoe}",
            found=found,
            required=required,
            clause=rule.clause,
            explanation=tuple(f"{found.capitalize()} cards; {required} belong there." for found, required in wrong),
        )


def _wrong_deck_count(rule: engine_pack.Cards, decks: int) -> Iterator[tuple[str, str]]:
    if not rule.fewest_decks <= decks <= rule.most_decks:
        most, fewest = rule.most_decks * rule.cards_a_deck, rule.fewest_decks * rule.cards_a_deck
        yield f"{decks} decks of", f"{fewest} to {most}, in {rule.fewest_decks} to {rule.most_decks} decks,"


def _wrong_card_count(rule: engine_pack.Cards, context: EventContext) -> Iterator[tuple[str, str]]:
    body = context.body
    due = body.decks * rule.cards_a_deck
    if body.cards is not None and body.cards != due:
        yield str(body.cards), str(due)
    for each in body.by_face if context.event.kind == DECK_COUNT else ():
        if each.cards != body.decks * rule.cards_a_face:
            yield f"{each.cards} of face {each.face},", str(body.decks * rule.cards_a_face)


def check_shoe_of_round(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """ROUND-CARDS (`conduct.cards`): the cards must come from the shoe put into play last."""
    rule, shoe = context.pack.conduct.cards, context.round.shoe
    if rule is None or shoe is None:
        return
    commenced = context.rules_in_force.commenced_at(context.events)
    changes = [each for each in history.events if each.at <= commenced]
    in_play = changes[-1].body.shoe if changes else None
    if shoe != in_play:
        yield round_history_draft(
            context,
            ROUND_CARDS,
            what=context.round_label,
            clause=rule.clause,
            found=f"dealt from {shoe}",
            required=f"{in_play} was in play" if in_play else "no shoe had been put into play",
            evidence=[each.index for each in changes[-1:]],
        )


def check_foreign_card(context: EventContext) -> Iterator[FindingDraft]:
    """CARDS-FOREIGN, where the round was reported before the card. Otherwise check_round_with_foreign_card reports it
    at the round."""
    rule, name = _foreign_card_void_rule(context.pack), context.body.round
    if rule is None or name is None:
        return
    rounds = context.source.rounds([context.table], name=name)
    for index in (each.index for each in rounds if not each.is_void and each.index < context.event.index):
        yield context.draft(
            CARDS_FOREIGN,
            what=f"shoe {context.body.shoe}",
            found=f"round {name} was settled",
            required=VOID_REQUIREMENT_TEXT,
            clause=rule.clause,
            evidence=[index],
        )


def check_round_with_foreign_card(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """CARDS-FOREIGN (`law.void.foreign-card`), where the card was reported before the round."""
    rule = _foreign_card_void_rule(context.pack)
    if rule is None or context.round.no_result is not None:
        return
    for card in history.events:
        if card.body.round == context.round.round and card.index < context.index:
            yield round_history_draft(
                context,
                CARDS_FOREIGN,
                what=f"shoe {card.body.shoe}",
                found=f"round {context.round.round} was settled",
                required=VOID_REQUIREMENT_TEXT,
                clause=rule.clause,
                evidence=[card.index],
            )
            return


def _foreign_card_void_rule(pack: Pack | None) -> engine_pack.VoidReason | None:
    return next((rule for name, rule in pack.law.void.items() if name == "foreign-card"), None) if pack else None


CHECKS = (
    TimelineCheck(frozenset({CARDS_COUNT}), frozenset({SHOE_CHANGED, DECK_COUNT}), check_card_count, LookBack()),
    TimelineCheck(
        frozenset({CARDS_FOREIGN}), frozenset({FOREIGN_CARD}), check_foreign_card, LookBack(frozenset({ROUND}))
    ),
)
ROUND_CHECKS = (
    RoundHistoryCheck(frozenset({ROUND_CARDS}), check_shoe_of_round, SHOE_IN_PLAY),
    RoundHistoryCheck(frozenset({CARDS_FOREIGN}), check_round_with_foreign_card, FOREIGN_CARD_LOOK_BACK),
)
