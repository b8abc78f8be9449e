"""The rules a casino can reckon by: its approved versions, or while it has none the packs as shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from compliance.accounts.models import Casino
from compliance.web.moments import moment_text
from rounds.engine.packs import Pack
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of, versions_of
from rounds.rulepacks import shipped_packs

IN_FORCE, NOT_YET, BEFORE, SHIPPED = "In force now", "Not yet in force", "In force before", "As shipped, not approved"
# More versions than a list can be read; an older one is still found by its address.
MOST_LISTED = 100


@dataclass(frozen=True)
class RulesAtHand:
    """One entry of the list. `version` None: a shipped pack that nobody has approved for this casino."""

    key: str
    label: str
    standing: str
    version: RuleVersion | None = None
    shipped: Pack | None = None
    adopted: Mapping[str, str] = field(default_factory=dict)

    @property
    def pack(self) -> Pack:
        """Read only when it is asked for: a list of versions names many and uses one."""
        if self.version is not None:
            return pack_of(self.version)
        assert self.shipped is not None
        return self.shipped

    @property
    def is_in_force(self) -> bool:
        return self.standing == IN_FORCE


def rules_at_hand(casino: Casino, now: datetime, wanted: str = "") -> list[RulesAtHand]:
    """What can be chosen, those in force first; `wanted` is among them even if it is too old to be listed."""
    approved = versions_of(casino).approved()
    versions = list(approved.order_by("-effective_at")[:MOST_LISTED])
    if not versions:
        return [
            RulesAtHand(f"shipped:{pack.name}", f"{pack.title} ({pack.name})", SHIPPED, shipped=pack)
            for pack in shipped_packs()
        ]
    rules, _, number = wanted.rpartition("@")
    if number.isascii() and number.isdigit() and len(number) < 9 and wanted not in map(_key, versions):
        versions += approved.filter(rules=rules, number=int(number))
    entries = [_entry(version, casino, now) for version in versions]
    return sorted(entries, key=lambda entry: (IN_FORCE, NOT_YET, BEFORE).index(entry.standing))


def _key(version: RuleVersion) -> str:
    return f"{version.rules}@{version.number}"


def _entry(version: RuleVersion, casino: Casino, now: datetime) -> RulesAtHand:
    standing, since = _standing(version, now), version.effective_at
    assert since is not None
    label = f"{version.title}, version {version.number}, from {moment_text(since, casino)}"
    return RulesAtHand(_key(version), label, standing, version=version, adopted=version.readings)


def _standing(version: RuleVersion, now: datetime) -> str:
    begins, ends = version.effective_at, getattr(version, "superseded_at", None)
    if begins is None or begins > now:
        return NOT_YET
    return BEFORE if ends is not None and ends <= now else IN_FORCE
