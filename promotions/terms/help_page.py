"""Help page on promotions, with figures taken from the rule packs."""

from collections.abc import Mapping
from typing import Any

from compliance.core.web.help_pages import HelpPage


def promotion_rules() -> Mapping[str, Any]:
    """Shipped rule packs with duties on promotions, and those without."""
    from compliance.notify.alerts.response_time import IMMEDIATE_LIMIT
    from promotions.draws.filed_terms import HELD_WITHIN
    from promotions.shared.deadlines import REASONS_WITHIN_DAYS
    from promotions.terms.selectors import RECENT
    from rounds.rulepacks import shipped_packs

    packs = list(shipped_packs())
    return {
        "rule_sets": [(pack.title, pack.duties.promotions) for pack in packs if pack.duties.promotions],
        "at_once_minutes": int(IMMEDIATE_LIMIT.total_seconds()) // 60,
        "held_within_minutes": int(HELD_WITHIN.total_seconds()) // 60,
        "recent_days": RECENT.days,
        "reasons_within_days": REASONS_WITHIN_DAYS,
        "silent": [pack.title for pack in packs if not pack.duties.promotions],
    }


PAGE = HelpPage(
    "promotions",
    "Promotions",
    "Terms and their filing, draws and winners, claims and denials.",
    "Marketing, compliance officers, authority officers, inspectors",
    order=55,
    facts=promotion_rules,
)
