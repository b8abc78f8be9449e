"""Entry kinds of limit notices, limits of one player and warnings."""

from compliance.core.web.ui.components import Tag
from rounds.intake.summaries import format_limits, player_or_seat
from rounds.ledger import EntryKind

NOTICE = EntryKind(
    "limit-notice",
    "Change of limits announced",
    "{limits[min]:money} to {limits[max]:money}",
    "notices.LimitNotice",
    meaning="A change of a table's limits was announced.",
)
IN_FORCE = EntryKind(
    "limit-notice-in-force",
    "Announced limits in force",
    "Notice of entry {notice}",
    "notices.NoticeStep",
    meaning="An announced change of limits took effect.",
)
WITHDRAWN = EntryKind(
    "limit-notice-withdrawn",
    "Change of limits withdrawn",
    "{reason}",
    "notices.NoticeStep",
    meaning="An announced change of limits was withdrawn.",
)
LAPSED = EntryKind(
    "limit-notice-lapsed",
    "Change of limits lapsed",
    "{reason}",
    "notices.NoticeStep",
    tag=Tag("Lapsed", "warning"),
    meaning="An announced change of limits lapsed: its sign was not up in time.",
)
PLAYER_LIMIT = EntryKind(
    "player-limit",
    "Limits for one player",
    lambda body: f"{player_or_seat(body)}, {format_limits(body)}",
    "notices.PlayerLimit",
    meaning="One player was given limits of their own.",
)
PLAYER_LIMIT_ENDED = EntryKind(
    "player-limit-ended",
    "Limits for one player ended",
    "Limits of entry {player_limit}",
    meaning="The limits of one player ended.",
)
