"""Helpers shared by the pages of promotions: permissions, state tags."""

from collections.abc import Sequence
from datetime import datetime

from compliance.core.accounts.request_types import CasinoRequest
from compliance.core.web.access import require_roles
from compliance.core.web.ui.components import Tag
from compliance.core.web.ui.record_notes import ListNotes
from promotions.shared.duties import promotion_rules_at
from promotions.shared.permissions import MAY_DECIDE, MAY_READ, MAY_WRITE
from promotions.terms.content.filing_deadline import is_filed_in_time
from promotions.terms.models import Integrity, TermsVersion, VersionState
from promotions.terms.selectors import entries_by_promotion
from rounds.engine import Promotions

readers, writers, deciders = require_roles(*MAY_READ), require_roles(*MAY_WRITE), require_roles(*MAY_DECIDE)

STATE_TAGS = {
    VersionState.IN_FORCE: Tag("In force", "success"),
    VersionState.SUPERSEDED: Tag("Superseded"),
    VersionState.WAITING: Tag("Waiting for the Authority", "warning"),
    VersionState.REFUSED: Tag("Refused", "danger"),
    VersionState.WITHDRAWN: Tag("Withdrawn"),
}
LATE, IN_TIME = Tag("Late", "danger"), Tag("In time", "info")


def filing_tag(version: TermsVersion, duties: Promotions) -> Tag:
    """Whether a filing was in time. An amendment has no filing deadline: it takes effect when approved."""
    if version.is_amendment:
        return Tag("Amendment", "info")
    return IN_TIME if is_filed_in_time(version.filed_at, version.starts_at, duties.filing) else LATE


def phase_tag(version: TermsVersion, now: datetime) -> Tag:
    if version.is_withdrawn:
        return STATE_TAGS[VersionState.WITHDRAWN]
    if version.integrity == Integrity.POSTPONED:
        return Tag("Postponed", "warning")
    if version.starts_at > now:
        return Tag("To come", "info")
    return Tag("Over") if version.ends_at and version.ends_at <= now else Tag("Running", "success")


class PromotionNotes(ListNotes):
    """Notes about the promotions of a list of versions: about everything recorded of them. Two queries."""

    def __init__(self, request: CasinoRequest) -> None:
        super().__init__(request, lambda version: self._entries_by_promotion[version.promotion_id])
        self._entries_by_promotion: dict[int, set[int]] = {}

    def read(self, rows: Sequence[TermsVersion]) -> None:
        self._entries_by_promotion = entries_by_promotion({version.promotion_id for version in rows})
        super().read(rows)


def duties_for(version: TermsVersion) -> Promotions | None:
    """The duties that applied when it was filed."""
    found = promotion_rules_at(version.promotion.casino, version.filed_at)
    return found.duties if found else None
