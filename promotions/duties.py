"""What the rule set of a casino asks of promotions: pack data. Silence is an answer of its own."""

from dataclasses import dataclass
from datetime import datetime

from compliance.accounts.models import Casino
from promotions.errors import SilentRules
from rounds.engine.promotion_duties import Promotions
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, versions_in_force


@dataclass(frozen=True)
class Governing:
    """The rule version that has duties on promotions, and these."""

    version: RuleVersion
    duties: Promotions


def governing(casino: Casino, at: datetime) -> Governing | None:
    """None where no rule set in force says anything on promotions. The first by name, where several do."""
    for _, version in sorted(versions_in_force(casino, at).items()):
        duties = pack_of(version).duties.promotions
        if duties is not None:
            return Governing(version, duties)
    return None


def require_duties(casino: Casino, at: datetime) -> Governing:
    found = governing(casino, at)
    if found is None:
        raise SilentRules
    return found
