"""What the casino's rule pack requires of promotions."""

from dataclasses import dataclass
from datetime import datetime

from compliance.core.accounts.models import Casino
from promotions.shared.errors import SilentRules
from rounds.engine import Promotions
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, versions_in_force


@dataclass(frozen=True)
class PromotionRules:
    """A rule version with duties on promotions, and those duties."""

    version: RuleVersion
    duties: Promotions


def promotion_rules_at(casino: Casino, at: datetime) -> PromotionRules | None:
    """None when no rule version in force has duties on promotions. If several do, the first by name."""
    for _, version in sorted(versions_in_force(casino, at).items()):
        duties = pack_of(version).duties.promotions
        if duties is not None:
            return PromotionRules(version, duties)
    return None


def require_duties(casino: Casino, at: datetime) -> PromotionRules:
    rules = promotion_rules_at(casino, at)
    if rules is None:
        raise SilentRules
    return rules
