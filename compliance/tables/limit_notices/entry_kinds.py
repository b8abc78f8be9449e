"""Entry kinds of limit notices. rounds/intake/entry_kinds.py has those of one player's limits and of warnings."""

from compliance.core.web.ui.components import Tag
from rounds.intake.summaries import format_limits
from rounds.ledger import EntryKind

NOTICE = EntryKind(
    "limit-notice",
    "Change of limits announced",
    lambda body: format_limits(body["limits"]),
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
