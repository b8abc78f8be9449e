"""Card shoes: the number of cards, the shoe a round was dealt from, and how many cards of a face it can give."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from compliance.audit.catalogue.play_codes import ROUND_CARDS
from compliance.audit.catalogue.table_codes import CARDS_COUNT
from compliance.audit.checks.shared.check_types import RoundHistoryCheck, TimelineCheck
from compliance.audit.context.entry_source import EntrySource
from compliance.audit.context.finding_draft import FindingDraft, round_history_draft
from compliance.audit.context.round_context import RoundContext
from compliance.audit.context.timeline import EventContext, History, LookBack
from rounds.engine import Outcome, Pack
from rounds.engine import pack as engine_pack
from rounds.intake.entry_kinds import DECK_COUNT, FOREIGN_CARD, SHOE_CHANGED
from rounds.intake.protocol.equipment import DeckCount, ShoeChanged

# No shoe is in play for longer than this.
SHOE_IN_PLAY = LookBack(frozenset({SHOE_CHANGED}), timedelta(days=7))


def check_card_count(context: EventContext) -> Iterator[FindingDraft]:
    """CARDS-COUNT (`conduct.cards`): a shoe when it came into play or was counted. Figures not reported are not
    checked."""
    rule, body = (context.pack.conduct.cards if context.pack else None), context.body
    if rule is None:
        return
    wrong = [*_wrong_deck_count(rule, body.decks), *_wrong_card_count(rule, body), *_unreported_foreign_cards(context)]
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


def _wrong_card_count(rule: engine_pack.Cards, body: DeckCount | ShoeChanged) -> Iterator[tuple[str, str]]:
    due = body.decks * rule.cards_a_deck
    if body.cards is not None and body.cards != due:
        yield str(body.cards), str(due)
    for each in body.by_face if isinstance(body, DeckCount) else ():
        if each.cards != body.decks * rule.cards_a_face:
            yield f"{each.cards} of face {each.face},", str(body.decks * rule.cards_a_face)


def _unreported_foreign_cards(context: EventContext) -> Iterator[tuple[str, str]]:
    """Foreign cards in a count, beyond those that were reported when they were found."""
    body = context.body
    if isinstance(body, DeckCount):
        reported = sum(card.body.shoe == body.shoe for card in context.history.events_of_kind(FOREIGN_CARD))
        if body.foreign > reported:
            yield f"{body.foreign} foreign", "none"


def is_miscounted(pack: Pack, body: DeckCount) -> bool:
    """Whether the cards counted, in all or of a face, are not those of the decks."""
    rule = pack.conduct.cards
    return rule is not None and any(_wrong_card_count(rule, body))


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


def check_cards_left_in_shoe(context: RoundContext, history: History) -> Iterator[FindingDraft]:
    """ROUND-CARDS (`conduct.cards`): more cards of a face were dealt from a shoe than its decks hold."""
    rule, outcome = context.pack.conduct.cards, context.outcome
    began_at = min(context.events.values())
    change = next((each for each in reversed(history.events) if each.at <= began_at), None)
    if rule is None or not rule.is_dealt_down or change is None or outcome is None:
        return
    if context.round.shoe not in (None, change.body.shoe):
        return
    before = outcomes_since(history.source, context.table, change.at, began_at)
    held = change.body.decks * rule.cards_a_face
    for face in sorted(set(outcome)):
        earlier = sum(each.count(face) for each in before)
        if earlier + outcome.count(face) > held:
            yield round_history_draft(
                context,
                ROUND_CARDS,
                what=context.round_label,
                clause=rule.clause,
                found=f"{earlier + outcome.count(face)} cards of face {face} were dealt from {change.body.shoe}",
                required=f"it holds {held}",
                evidence=[change.index],
            )
            return


def outcomes_since(source: EntrySource, table: str, after: datetime, before: datetime) -> list[Outcome]:
    """The results of the rounds at a table that began between two instants."""
    rounds = source.rounds([table], started=(after, before))
    return [each.outcome for each in rounds if each.outcome is not None and each.started_at < before]


CHECKS = (
    TimelineCheck(
        frozenset({CARDS_COUNT}),
        frozenset({SHOE_CHANGED, DECK_COUNT}),
        check_card_count,
        LookBack(frozenset({FOREIGN_CARD}), SHOE_IN_PLAY.duration),
    ),
)
ROUND_CHECKS = (
    RoundHistoryCheck(frozenset({ROUND_CARDS}), check_shoe_of_round, SHOE_IN_PLAY),
    RoundHistoryCheck(frozenset({ROUND_CARDS}), check_cards_left_in_shoe, SHOE_IN_PLAY),
)
