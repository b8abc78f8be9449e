"""People of Harbour for rulebook tests: Cora is compliance officer, Ines and Igor inspectors, Olga authority officer.

Gus is games supervisor. Otto administers Marina: the outsider. Versions are created through the real services.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.rulebook.models import MediaType, RuleVersion
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER
from tests.compliance.core.accounts.people import found_casino, give_phone, hire
from tests.fixture_snapshots import snapshotted

NSW, RWS, LICENSEE = "nsw-sic-bo", "rws-sic-bo-etg", "licensee-sic-bo"
PROPOSED_AT = datetime(2026, 5, 4, 1, 0, tzinfo=UTC)
APPROVED_AT = datetime(2026, 5, 6, 1, 0, tzinfo=UTC)
EFFECTIVE_AT = datetime(2026, 6, 1, 0, 0, tzinfo=UTC)
SOURCE = SourceUpload(b"The rules of the game, as printed.\n", "rules.txt", MediaType.TEXT)


@dataclass(frozen=True)
class RuleMakers:
    harbour: Casino
    marina: Casino
    cora: User
    ines: User
    igor: User
    olga: User
    gus: User
    otto: User


@snapshotted
def create_rule_makers() -> RuleMakers:
    harbour, ada = found_casino("harbour", "Harbour Casino", "Australia/Sydney", "ada")
    marina, otto = found_casino("marina", "Marina Casino", "Asia/Singapore", "otto")
    cora = hire("cora", harbour, Role.COMPLIANCE_OFFICER, by=ada)
    ines, igor = (hire(name, harbour, Role.INSPECTOR, by=ada) for name in ("ines", "igor"))
    olga = hire("olga", harbour, Role.AUTHORITY_OFFICER, by=ada)
    gus = hire("gus", harbour, Role.GAMES_SUPERVISOR, by=ada)
    for person in (cora, ines, igor, olga, gus, otto):
        give_phone(person)
    return RuleMakers(harbour, marina, cora, ines, igor, olga, gus, otto)


def shipped_pack_bytes(rules: str) -> bytes:
    return (PACK_FOLDER / f"{rules}.toml").read_bytes()


def propose(rulers: RuleMakers, rules: str = NSW, **changes: Any) -> RuleVersion:
    proposal: dict[str, Any] = {
        "casino": rulers.harbour,
        "pack_content": shipped_pack_bytes(rules),
        "pack_file": f"{rules}.toml",
        "source": SOURCE,
        "readings": {},
        "actor": rulers.cora,
        "now": PROPOSED_AT,
    }
    return propose_version(**proposal | changes)


def approve(rulers: RuleMakers, version: RuleVersion, **changes: Any) -> RuleVersion:
    approval: dict[str, Any] = {
        "version": version,
        "effective_at": expected_effective_at(version) or EFFECTIVE_AT,
        "time_zone": "Australia/Sydney",
        "evidence": "Gazetted on 29 May 2026.",
        "edge_reason": "Printed so; a ruling is expected.",
        "actor": rulers.ines,
        "now": APPROVED_AT,
    }
    return approve_version(**approval | changes)


def propose_and_approve(rulers: RuleMakers, rules: str = NSW, **changes: Any) -> RuleVersion:
    """Proposed and approved."""
    return approve(rulers, propose(rulers, rules), **changes)


def days_later(days: int) -> datetime:
    return EFFECTIVE_AT + timedelta(days=days)
