"""What can be tried: a version, one's own draft, or the version in force with other readings."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from compliance.analysis.what_if.errors import NothingToTry
from compliance.analysis.what_if.models import RuleSource
from compliance.core.accounts.models import Casino, User
from rounds.engine import EngineError, adopt_readings
from rounds.rulebook.models import FrozenPack, RuleVersion, RuleVersionQuerySet
from rounds.rulebook.selectors import draft_of, pack_of, versions_in_force, versions_of
from rounds.rulebook.versions.propose import validate_pack_file


@dataclass(frozen=True)
class TrialSubject:
    """The rules to try. Only a draft has `pack_content`, which may not be frozen yet."""

    source: RuleSource
    rules: str
    title: str
    readings: Mapping[str, str]
    version: RuleVersion | None = None
    pack_content: bytes = b""

    def freeze_pack(self) -> str:
        """The digest of its pack. Freezes a draft's pack, so that the trial does not change with the draft."""
        return self.version.pack_id if self.version else FrozenPack.get_or_freeze(self.pack_content).sha256

    @property
    def changed_readings(self) -> dict[str, str]:
        adopted = self.version.readings if self.version else self.readings
        return {name: choice for name, choice in self.readings.items() if adopted.get(name) != choice}


def subject_from_version(version: RuleVersion) -> TrialSubject:
    return TrialSubject(RuleSource.VERSION, version.rules, version.title, version.readings, version)


def subject_from_readings(version: RuleVersion, readings: Mapping[str, str]) -> TrialSubject:
    try:
        adopted = dict(adopt_readings(pack_of(version), version.readings | dict(readings)))
    except EngineError as error:
        raise NothingToTry(error.message) from error
    if adopted == version.readings:
        raise NothingToTry("You chose every reading as it is adopted already.")
    return TrialSubject(RuleSource.READINGS, version.rules, version.title, adopted, version)


def subject_from_draft(user: User, casino: Casino) -> TrialSubject:
    """The user's own draft. Other people's drafts cannot be tried before they are proposed."""
    draft = draft_of(user, casino)
    if draft is None or draft.pack_content is None:
        raise NothingToTry("You have no draft with rules in it at this casino.")
    content = bytes(draft.pack_content)
    pack = validate_pack_file(content, draft.pack_file)
    return TrialSubject(
        RuleSource.DRAFT, pack.slug, pack.title, dict(adopt_readings(pack, draft.readings)), None, content
    )


def versions_to_try(casino: Casino) -> RuleVersionQuerySet:
    """All versions that were not withdrawn."""
    return versions_of(casino).filter(withdrawn_at=None)


def versions_with_readings(casino: Casino, now: datetime) -> list[RuleVersion]:
    """Versions in force whose documents have readings."""
    return [version for version in versions_in_force(casino, now).values() if pack_of(version).readings]
