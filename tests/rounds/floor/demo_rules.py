"""Rules for the demo casinos: a shipped pack, proposed by one person and approved by another long ago."""

from datetime import datetime, timedelta

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.rulebook.models import MediaType
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import SourceUpload, propose_version
from rounds.rulepacks import PACK_FOLDER


def approve_rules(casino: Casino, rules: str, now: datetime) -> None:
    proposer, approver = (
        User.objects.get(email=demo_email(role)) for role in (Role.COMPLIANCE_OFFICER, Role.INSPECTOR)
    )
    version = propose_version(
        casino=casino,
        pack_content=(PACK_FOLDER / f"{rules}.toml").read_bytes(),
        pack_file=f"{rules}.toml",
        source=SourceUpload(b"As printed.", "rules.txt", MediaType.TEXT),
        readings={},
        actor=proposer,
        now=now - timedelta(days=92),
    )
    approve_version(
        version=version,
        effective_at=expected_effective_at(version) or now - timedelta(days=90),
        time_zone="UTC",
        evidence="Gazetted.",
        edge_reason="Printed so.",
        actor=approver,
        now=now - timedelta(days=91),
    )
