"""Entry kinds of signs. The first two are controller kinds, registered by rounds.intake."""

from rounds.ledger import register_kind

SHOWN = "sign-shown"
REMOVED = "sign-removed"
DISPLAY_ADDED = register_kind("sign-display-added", "A display was set up to show the signs of a table.").name
DISPLAY_ENDED = register_kind("sign-display-ended", "A display may no longer show the signs of a table.").name
