"""Entry kinds of limit notices."""

from rounds.ledger import register_kind

NOTICE = register_kind("limit-notice", "A change of a table's limits was announced.").name
IN_FORCE = register_kind("limit-notice-in-force", "An announced change of limits took effect.").name
WITHDRAWN = register_kind("limit-notice-withdrawn", "An announced change of limits was withdrawn.").name
LAPSED = register_kind("limit-notice-lapsed", "An announced change of limits lapsed: its sign was not up in time.").name
PLAYER_LIMIT = register_kind("player-limit", "One player was given limits of their own.").name
PLAYER_LIMIT_ENDED = register_kind("player-limit-ended", "The limits of one player ended.").name
WARNING = register_kind(
    "under-minimum-warning", "A player was told that further wagers under the minimum are handed back."
).name
