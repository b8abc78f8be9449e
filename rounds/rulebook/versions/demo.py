"""Demo data: one rule version per casino, proposed by the compliance officer and approved by the inspector."""

from datetime import datetime, timedelta

from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from rounds.engine import Pack, load_pack
from rounds.rulebook.models import RuleVersion
from rounds.rulebook.selectors import pack_of
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import propose_version, read_source_upload
from rounds.rulepacks import PACK_FOLDER

DEMO_RULES = {
    "harbour": "nsw-sic-bo",
    "sentosa": "rws-sic-bo-etg",
    "marina": "mbs-3-card-sic-bo",
    "adelaide": "skycity-big-and-small",
    "boardwalk": "licensee-sic-bo",
}
PROPOSED_AFTER, APPROVED_AFTER, EFFECTIVE_AFTER = timedelta(days=1), timedelta(days=3), timedelta(days=5)
OPENING_HOUR = 6
EVIDENCE = "Demo: the document prints no date; the casino's letter of adoption names this one."
EDGE_REASON = "Demo: these follow from the printed words. Readings that are not adopted were considered and set aside."


def make_demo_rules(began_at: datetime) -> None:
    """Idempotent: skips casinos that have a version of their rules. `began_at`: when the casinos opened."""
    proposer, approver = (
        User.objects.get(email=demo_email(role)) for role in (Role.COMPLIANCE_OFFICER, Role.INSPECTOR)
    )
    for slug, rules in DEMO_RULES.items():
        casino = Casino.objects.get(slug=slug)
        if not RuleVersion.objects.filter(casino=casino, rules=rules).exists():
            _propose_and_approve(casino, rules, proposer, approver, began_at)


def _propose_and_approve(casino: Casino, rules: str, proposer: User, approver: User, began_at: datetime) -> None:
    content = (PACK_FOLDER / f"{rules}.toml").read_bytes()
    pack = load_pack(content, f"{rules}.toml")
    version = propose_version(
        casino=casino,
        pack_content=content,
        pack_file=f"{rules}.toml",
        source=read_source_upload(demo_document(pack).encode(), f"{rules}-demo.txt"),
        readings={},
        actor=proposer,
        now=began_at + PROPOSED_AFTER,
    )
    printed_at = expected_effective_at(version)
    approve_version(
        version=version,
        effective_at=printed_at or _opening_time(casino, began_at + EFFECTIVE_AFTER),
        time_zone=pack_of(version).time_zone or casino.time_zone,
        evidence="" if printed_at else EVIDENCE,
        edge_reason=EDGE_REASON,
        actor=approver,
        now=began_at + APPROVED_AFTER,
    )


def _opening_time(casino: Casino, instant: datetime) -> datetime:
    """The start of the gaming day on that date, so that rules do not change at the minute the demo was loaded."""
    local = instant.astimezone(casino.zone)
    return local.replace(hour=OPENING_HOUR, minute=0, second=0, microsecond=0)


def demo_document(pack: Pack) -> str:
    """A substitute for the published document, which we may not copy: a clause summary, labelled as a demo copy."""
    head = (
        f"Demo copy: not the published rules.\n\nClause summary of {pack.title}, version {pack.version}, in our words."
    )
    clauses = "\n".join(f"{number}  {clause.gist}" for number, clause in pack.clauses.items())
    return f"{head}\n\n{clauses}\n"
