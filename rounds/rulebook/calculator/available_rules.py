"""The rules to choose from in the calculator: the casino's approved versions, or the shipped packs if it has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from compliance.core.accounts.models import Casino
from compliance.core.web.local_time import format_local
from rounds.engine import Pack
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, versions_of
from rounds.rulepacks import shipped_packs

IN_FORCE, NOT_YET, BEFORE, SHIPPED = "In force now", "Not yet in force", "In force before", "As shipped, not approved"
# More would not fit a select list; older versions are still reachable by URL.
MAX_LISTED = 100


@dataclass(frozen=True)
class AvailableRules:
    """One entry of the list. `version` None: a shipped pack that is not approved for this casino."""

    key: str
    label: str
    state_label: str
    version: RuleVersion | None = None
    shipped: Pack | None = None
    adopted: Mapping[str, str] = field(default_factory=dict)

    @property
    def pack(self) -> Pack:
        """Loaded on access, because the list has many versions and only one is used."""
        if self.version is not None:
            return pack_of(self.version)
        assert self.shipped is not None
        return self.shipped

    @property
    def is_in_force(self) -> bool:
        return self.state_label == IN_FORCE


def list_available_rules(casino: Casino, now: datetime, selected_key: str = "") -> list[AvailableRules]:
    """The rules to choose from, those in force first. Includes `selected_key` even if it is too old to be listed."""
    approved = versions_of(casino).approved()
    versions = list(approved.order_by("-effective_at")[:MAX_LISTED])
    if not versions:
        return [
            AvailableRules(f"shipped:{pack.name}", f"{pack.title} ({pack.name})", SHIPPED, shipped=pack)
            for pack in shipped_packs()
        ]
    rules, _, number = selected_key.rpartition("@")
    if (
        number.isascii()
        and number.isdigit()
        and len(number) < 9
        and selected_key not in [version.name for version in versions]
    ):
        versions += approved.filter(rules=rules, number=int(number))
    entries = [_available_version(version, casino, now) for version in versions]
    return sorted(entries, key=lambda entry: (IN_FORCE, NOT_YET, BEFORE).index(entry.state_label))


def _available_version(version: RuleVersion, casino: Casino, now: datetime) -> AvailableRules:
    state_label, since = _version_state_label(version, now), version.effective_at
    assert since is not None
    label = f"{version}, from {format_local(since, casino)}"
    return AvailableRules(version.name, label, state_label, version=version, adopted=version.readings)


def _version_state_label(version: RuleVersion, now: datetime) -> str:
    begins, ends = version.effective_at, getattr(version, "superseded_at", None)
    if begins is None or begins > now:
        return NOT_YET
    return BEFORE if ends is not None and ends <= now else IN_FORCE
