"""Entry kinds of intake: what tables report, what people decide about rounds, and what becomes of feeds."""

from collections.abc import Callable
from typing import Any

from compliance.core.web.ui.components import Tag
from rounds.intake import summaries
from rounds.intake.protocol.envelope import LINE_KINDS
from rounds.ledger import EntryKind, Reaudit

MEANINGS = {line.entry_kind: line.meaning for line in LINE_KINDS if line.name != "heartbeat"}
CONTROLLER_KINDS = tuple(MEANINGS)


def _reported(
    name: str,
    label: str,
    summary: str | Callable[[Any], str],
    tag: Tag | None = None,
    reaudit: Reaudit | None = None,
) -> EntryKind:
    """A kind of line. The wire protocol states its name and meaning too: witnesses read it without Django."""
    return EntryKind(name, label, summary, meaning=MEANINGS[name], tag=tag, reaudit=reaudit)


ROUND = _reported("round", "Round", summaries.summarize_round)
TABLE_OPENED = _reported(
    "table-opened",
    "Table opened",
    lambda body: f"Limits {summaries.format_limits(body['limits'])}" if body.get("limits") else "",
)
TABLE_CLOSED = _reported("table-closed", "Table closed", summaries.summarize_closing)
SIGN_SHOWN = _reported("sign-shown", "Sign went up", summaries.summarize_sign)
SIGN_REMOVED = _reported(
    "sign-removed",
    "Sign came down",
    lambda body: f"{body['sign']}{', its screen was lost' if body.get('lost') else ''}",
)
LIMITS_CHANGED = _reported(
    "limits-changed",
    "Limits changed",
    lambda body: summaries.format_limits(body["limits"]),
    reaudit=Reaudit.FACT_PERIOD,
)
POSTED_ODDS_SHOWN = _reported(
    "posted-odds-shown",
    "Odds posted",
    summaries.format_posted_odds,
    reaudit=Reaudit.FACT_PERIOD,
)
FAULT = _reported("fault", "Fault", "{equipment:Words} {effect:words} ({fault}): {note}", Tag("Failing", "danger"))
FAULT_CLEARED = _reported("fault-cleared", "Fault mended", "{fault}: {note}")
DICE_PLACED = _reported(
    "dice-placed", "Dice put to use", lambda body: f"{body['dice']}{', sealed' if body.get('sealed') else ''}"
)
DICE_REMOVED = _reported(
    "dice-removed", "Dice taken away", lambda body: f"{body['dice']}: {body.get('reason', 'other').replace('-', ' ')}"
)
SHAKER_PLACED = _reported("shaker-placed", "Shaker put to use", "{shaker}, {type}")
SHAKER_REMOVED = _reported("shaker-removed", "Shaker taken away", "{shaker}, {type}")
INSPECTION = _reported("inspection", "Equipment tried", summaries.summarize_inspection)
SHOE_CHANGED = _reported("shoe-changed", "Shoe changed", "{shoe}, {decks} decks")
DECK_COUNT = _reported(
    "deck-count",
    "Cards counted",
    lambda body: f"{body['shoe']}: {body['cards']} cards, {body.get('foreign', 0)} foreign",
)
FOREIGN_CARD = _reported("foreign-card", "Foreign card found", "{shoe}: {note}", Tag("Foreign", "warning"))
TERMINAL_INTERRUPTED = _reported(
    "terminal-interrupted", "Terminals lost play", "{terminals:list}", Tag("Interrupted", "warning")
)
TERMINAL_RESTORED = _reported("terminal-restored", "Terminals take part again", "{terminals:list}")
STREAK_STATE = _reported("streak-state", "Streaks on the screen", summaries.summarize_streaks)
CHIPS_ISSUED = _reported("chips-issued", "Chips issued", summaries.summarize_issued_chips)
CHIPS_REDEEMED = _reported("chips-redeemed", "Chips handed back", summaries.summarize_redeemed_chips)
VOUCHER_EXCHANGED = _reported(
    "voucher-exchanged", "Voucher exchanged", "{voucher}, {value:money}, for {tokens:money} in tokens"
)
CONTROLLER_CORRECTION = _reported(
    "controller-correction",
    "Controller corrected itself",
    "Its number {corrects} was wrong: {reason}",
    Tag("Corrected", "warning"),
    Reaudit.CORRECTED_ENTRY,
)

# Other apps write these. They are defined here because round_records reads them to determine what wagers are owed.
VOID_SET = EntryKind(
    "void-set",
    "Rounds affected by damaged dice",
    "{rounds:count round rounds}, dice {dice_set}: {reason}",
    "equipment.VoidSet",
    tag=Tag("Damaged dice", "danger"),
    reaudit=Reaudit.DECIDED_ROUNDS,
    meaning="Rounds that damaged dice affected were determined. The rules in force say whether that makes them void.",
)
STAKES_RETURNED = EntryKind(
    "stakes-returned",
    "Stakes handed back",
    "{returned:count wager wagers}, {how}",
    "equipment.StakesReturned",
    reaudit=Reaudit.DECIDED_ROUNDS,
    meaning="Stakes of rounds or wagers that became void later were handed back.",
)
WAGER_REFUSAL = EntryKind(
    "wager-refusal",
    "Wager refused",
    summaries.CONDUCT,
    "conduct.ConductAct",
    occurred_at="at",
    reaudit=Reaudit.ROUNDS_IN_PLAY,
    meaning="A wager was refused, on which grounds and by whom.",
)
WAGERS_VOIDED = EntryKind(
    "wagers-voided",
    "Wagers declared void",
    summaries.CONDUCT,
    "conduct.ConductAct",
    reaudit=Reaudit.DECIDED_ROUNDS,
    meaning="A person’s wagers were declared void.",
)
INVALIDATION = EntryKind(
    "invalidation",
    "Outcome invalidated",
    summaries.CONDUCT,
    "conduct.ConductAct",
    meaning="The outcome of rounds was invalidated. The rules in force say what their wagers are owed.",
    reaudit=Reaudit.DECIDED_ROUNDS,
)
UNDER_MINIMUM_WARNING = EntryKind(
    "under-minimum-warning",
    "Warning about wagers under the minimum",
    summaries.player_or_seat,
    "notices.UnderMinimumWarning",
    occurred_at="at",
    meaning="A player was told that further wagers under the minimum are handed back.",
)
PLAYER_LIMIT = EntryKind(
    "player-limit",
    "Limits for one player",
    lambda body: f"{summaries.player_or_seat(body)}, {summaries.format_limits(body)}",
    "notices.PlayerLimit",
    meaning="One player was given limits of their own.",
)
PLAYER_LIMIT_ENDED = EntryKind(
    "player-limit-ended",
    "Limits for one player ended",
    "Limits of entry {player_limit}",
    meaning="The limits of one player ended.",
)
DISPUTE_PAID = EntryKind(
    "dispute-paid",
    "Payment after a dispute",
    "{dispute}: {amount_cents:money} {way:words}",
    "disputes.Step",
    meaning="Money was paid or adjusted because of a dispute: corrects its round.",
    reaudit=Reaudit.DISPUTED_ROUND,
)

QUARANTINED = EntryKind(
    "feed-quarantined",
    "Line refused, kept in quarantine",
    summaries.summarize_refused_line,
    "intake.Quarantined",
    tag=Tag("Refused", "warning"),
    meaning="A controller's line could not be taken; its bytes are kept in quarantine.",
)
CONFLICT = EntryKind(
    "feed-conflict",
    "Number used again for other bytes",
    summaries.summarize_refused_line,
    "intake.Quarantined",
    tag=Tag("Conflict", "danger"),
    meaning="A controller used a sequence again for other bytes; these are kept in quarantine.",
)
SIGNATURE = EntryKind(
    "feed-signature",
    "Signature refused",
    "{controller}, key {key_id}: {count:number batch batches}",
    tag=Tag("Refused", "danger"),
    meaning="Batches under a controller's key were refused because of their signature.",
)
UNKNOWN_KEY = EntryKind(
    "feed-unknown-key",
    "Unknown key refused",
    "{count:number batch batches} under {keys:count key keys}",
    tag=Tag("Refused", "danger"),
    meaning="Batches were refused because no controller has the keys they name.",
)
SILENT = EntryKind(
    "feed-silent",
    "Feed fell silent",
    "{controller}, last number {last_sequence}",
    tag=Tag("Silent", "danger"),
    meaning="A controller's feed for a table fell silent.",
)
RETURNED = EntryKind("feed-returned", "Feed came back", "{controller}", meaning="A silent feed came back.")
DEALT_WITH = EntryKind(
    "quarantine-dealt-with",
    "Refused line looked into",
    "{note}",
    "intake.QuarantineResolution",
    meaning="Somebody looked into a quarantined line.",
)
