"""Members and kinds of lines that rule sets need, each with the clauses of a pack that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rounds.engine.pack import PackFile
from rounds.intake import entry_kinds

Clauses: TypeAlias = Iterable[str | None]


@dataclass(frozen=True)
class Expectation:
    """A member of a line, or a kind of line, and what it says. `find_clauses` returns the clauses that need it, and
    None for parts on which the document is silent."""

    name: str
    says: str
    find_clauses: Callable[[PackFile], Clauses]

    def clauses(self, pack: PackFile) -> list[str]:
        """The clauses, each once. Empty where the rules do not need it."""
        return list(dict.fromkeys(clause for clause in self.find_clauses(pack) if clause is not None))


def _of(*parts: object | None) -> Clauses:
    return [getattr(part, "clause", None) for part in parts]


def _of_void(pack: PackFile, reason: str) -> Clauses:
    return [rule.clause for name, rule in pack.law.void.items() if name == reason]


def _of_result(source: str) -> Callable[[PackFile], Clauses]:
    return lambda pack: _of(pack.conduct.result) if pack.conduct.result.source == source else ()


def _of_lights(pack: PackFile) -> Clauses:
    entry = pack.conduct.entry
    return _of(entry, pack.law.settlement.lights_failed) if entry and entry.lights_winners else ()


def _of_limits(pack: PackFile) -> Clauses:
    settlement = pack.law.settlement
    return _of(pack.duties.limits_shown, settlement.over_maximum, settlement.under_minimum)


def _of_dice(pack: PackFile) -> Clauses:
    return _of(pack.duties.dice_custody, pack.conduct.damaged_dice)


def _of_shaker(pack: PackFile) -> Clauses:
    conduct = pack.conduct
    named = [(each.only_with, each.clause) for each in conduct.order]
    named += [(each.only_with, each.clause) for each in conduct.forbidden_events]
    return [*_of(pack.duties.shaker_swap), *(clause for item, clause in named if item.endswith("-shaker"))]


def _of_terminals(pack: PackFile) -> Clauses:
    pay_tables = list(pack.law.pay_table.values())
    return _of(pack.duties.interruption, *(pay_tables if len(pay_tables) > 1 else ()))


def _of_registration(pack: PackFile) -> Clauses:
    return _of(pack.law.settlement.unregistered)


def _of_warnings(pack: PackFile) -> Clauses:
    rule = pack.law.settlement.under_minimum
    return _of(rule) if rule and rule.settled == "once-then-returned" else ()


def _of_signs(pack: PackFile) -> Clauses:
    duties = pack.duties
    limits = duties.limits_shown if duties.limits_shown and duties.limits_shown.where == "sign" else None
    return _of(limits, duties.minimum_raise, duties.player_limits, duties.closure_sign, duties.streak_closing)


def _of_closing(pack: PackFile) -> Clauses:
    return _of(pack.duties.closure_sign, pack.duties.closure_notification)


def _of_posted_odds(pack: PackFile) -> Clauses:
    posted = pack.duties.posted_odds
    return [posted.minimum_clause if posted else None, *_of(pack.duties.odds_wording)]


def _of_faults(pack: PackFile) -> Clauses:
    return [*_of(pack.duties.equipment_fault), *(rule.clause for rule in pack.law.void.values() if rule.fault_of)]


def _of_streaks(pack: PackFile) -> Clauses:
    offer = pack.duties.streak_offer
    return (offer.clause, offer.window_clause) if offer else ()


def _of_streak_amount(pack: PackFile) -> Clauses:
    return (pack.duties.streak_offer.amount_clause,) if pack.duties.streak_offer else ()


def _of_redeeming(pack: PackFile) -> Clauses:
    return (pack.duties.colour_chips.redeemed_clause,) if pack.duties.colour_chips else ()


# Members that the schema always asks for are not listed here.
MEMBERS = (
    Expectation("dice", "the result, as the dice lay", _of_result("dice")),
    Expectation("cards", "the result, as the cards were drawn", _of_result("cards")),
    Expectation("called", "the result as it was announced, and by whom", lambda pack: _of(pack.conduct.call)),
    Expectation("entered", "the result as it was keyed in, and by whom", lambda pack: _of(pack.conduct.entry)),
    Expectation("lit", "the betting areas that were lit", _of_lights),
    Expectation(
        "displayed",
        "what displays showed; a wrong display does not change what is due",
        lambda pack: [pack.conduct.result.disregarded_clause],
    ),
    Expectation("no_result", "why the round is void", lambda pack: _of(*pack.law.void.values())),
    Expectation("limits", "the limits on the sign, which are compared with those on record", _of_limits),
    Expectation(
        "player_limits", "limits of one player, which a sign shows", lambda pack: _of(pack.duties.player_limits)
    ),
    Expectation("streak_amount", "the stake that a Super Streak wager must have", _of_streak_amount),
    Expectation("dice_set", "which dice were used", _of_dice),
    Expectation("shaker", "which shaker was used", _of_shaker),
    Expectation("shoe", "which shoe the cards came from", lambda pack: _of(pack.conduct.cards)),
    Expectation(
        "events.count",
        "with tumbled: how often the dice were tumbled, the trigger worked or the shaker shaken",
        lambda pack: _of(pack.conduct.agitation),
    ),
    Expectation(
        "events.by",
        "who called or entered the result, where called or entered does not say it",
        lambda pack: _of(pack.conduct.call, pack.conduct.entry),
    ),
    Expectation("wagers.player", "whose wagers count together against the limits", _of_limits),
    Expectation("wagers.seat", "the same, where a player keeps one seat", _of_limits),
    Expectation("wagers.terminal", "the terminal, by which pay table and interruptions are known", _of_terminals),
    Expectation(
        "wagers.changes",
        "how a wager was raised, lowered, moved or withdrawn, and when",
        lambda pack: _of(pack.conduct.no_more_bets, pack.conduct.late_wagers),
    ),
    Expectation(
        "wagers.chips",
        "colour, value and issuing table of chips without denomination",
        lambda pack: _of(pack.duties.colour_chips),
    ),
    Expectation("wagers.spoken", "a wager made by word of mouth", lambda pack: _of(pack.conduct.spoken_wagers)),
    Expectation(
        "wagers.within_box", "whether the chips lay wholly in their box", lambda pack: _of(pack.conduct.within_box)
    ),
    Expectation("wagers.registered", "whether the terminal registered the wager", _of_registration),
    Expectation("wagers.warned", "whether the player had been warned of wagers under the minimum", _of_warnings),
    Expectation(
        "wagers.paid_in", "what winnings of promotional tokens were paid in", lambda pack: _of(pack.duties.voucher)
    ),
    Expectation("wagers.refusal", "when and why a wager was refused", lambda pack: _of(pack.duties.wager_refusal)),
)

# A wager names one of them at least, whatever the rules say.
NAMES_OF_WAGERS = ("wagers.player", "wagers.seat", "wagers.terminal")
# The checks of the feed rely on openings and closings, whatever the rules say.
LINES_OF_ALL = ("round", entry_kinds.TABLE_OPENED, entry_kinds.TABLE_CLOSED, "heartbeat", "correction")
LINES = (
    Expectation(entry_kinds.TABLE_CLOSED, "whether players were there, and who had been told", _of_closing),
    Expectation(entry_kinds.SIGN_SHOWN, "since when a sign is up, and what it states", _of_signs),
    Expectation(entry_kinds.SIGN_REMOVED, "until when it was up", _of_signs),
    Expectation(
        entry_kinds.LIMITS_CHANGED,
        "since when other limits are in force",
        lambda pack: _of(pack.duties.limits_shown, pack.duties.minimum_raise),
    ),
    Expectation(entry_kinds.POSTED_ODDS_SHOWN, "the odds at the table, as they are worded there", _of_posted_odds),
    Expectation(entry_kinds.FAULT, "what failed, in which round, who was told and when play stopped", _of_faults),
    Expectation(entry_kinds.FAULT_CLEARED, "when it was mended", _of_faults),
    Expectation(
        entry_kinds.DICE_PLACED,
        "which dice are in use, since when, and whether they are sealed",
        lambda pack: [*_of_dice(pack), *_of(pack.conduct.sealed_dice)],
    ),
    Expectation(entry_kinds.DICE_REMOVED, "until when they were in use, and whether they were damaged", _of_dice),
    Expectation(entry_kinds.SHAKER_PLACED, "which kind of shaker is at the table", _of_shaker),
    Expectation(entry_kinds.SHAKER_REMOVED, "until when it was there", _of_shaker),
    Expectation(
        entry_kinds.INSPECTION,
        "that equipment was tried, how often, with which result and by whom",
        lambda pack: _of(*(pack.duties.inspections or ())),
    ),
    Expectation(entry_kinds.SHOE_CHANGED, "which cards can be drawn", lambda pack: _of(pack.conduct.cards)),
    Expectation(
        entry_kinds.DECK_COUNT,
        "whether cards are missing or too many",
        lambda pack: [*_of(pack.conduct.cards), *_of_void(pack, "card-count")],
    ),
    Expectation(entry_kinds.FOREIGN_CARD, "that a card does not belong", lambda pack: _of_void(pack, "foreign-card")),
    Expectation(
        entry_kinds.TERMINAL_INTERRUPTED,
        "which terminals lost play, and whether the outcome was established",
        lambda pack: _of(pack.duties.interruption),
    ),
    Expectation(
        entry_kinds.TERMINAL_RESTORED, "since when they take part again", lambda pack: _of(pack.duties.interruption)
    ),
    Expectation(entry_kinds.STREAK_STATE, "the streaks that the screen showed", _of_streaks),
    Expectation(
        entry_kinds.CHIPS_ISSUED, "colour, value and player at issue", lambda pack: _of(pack.duties.colour_chips)
    ),
    Expectation(entry_kinds.CHIPS_REDEEMED, "what was paid for chips, and which table issued them", _of_redeeming),
    Expectation(entry_kinds.VOUCHER_EXCHANGED, "the tokens given for a voucher", lambda pack: _of(pack.duties.voucher)),
)
