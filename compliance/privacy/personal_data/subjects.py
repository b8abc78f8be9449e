"""Registry of subjects that personal details are about: retention, its reason, and the roles that may read them."""

from dataclasses import dataclass

from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role

# They see which records exist, who read them and how long they are kept.
OVERSEERS = GOVERNMENT_ROLES | {Role.COMPLIANCE_OFFICER}
# Records may be evidence against the operator, so only the government sets or shortens retention.
MAY_SET_RETENTION = frozenset({Role.AUTHORITY_OFFICER})


@dataclass(frozen=True)
class Subject:
    """A kind of matter. `years` applies until an authority officer sets another retention for a casino."""

    slug: str
    label: str
    years: int
    reason: str
    readers: frozenset[Role]


DISPUTE = Subject(
    "dispute",
    "Dispute",
    7,
    "Six years, in which money can commonly be claimed in court, and one for a case that was begun late.",
    OVERSEERS | {Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER},
)
CLAIM = Subject(
    "claim",
    "Prize claim",
    7,
    "Denied claims over $100 are retained with names and addresses (NSW 10.10.1), which names no end.",
    OVERSEERS | {Role.MARKETING},
)
WINNER = Subject(
    "winner",
    "Prize winner",
    7,
    "A draw can be questioned as long as its prizes can be claimed.",
    OVERSEERS | {Role.MARKETING},
)
CONDUCT = Subject(
    "conduct",
    "Conduct at a table",
    7,
    "A refused or forfeited wager and an exclusion can be questioned as long as money can commonly be claimed.",
    OVERSEERS | {Role.CASINO_SUPERVISOR, Role.GAMES_SUPERVISOR, Role.SHIFT_MANAGER},
)
SUBJECTS = {subject.slug: subject for subject in (DISPUTE, CLAIM, WINNER, CONDUCT)}
CHOICES = [(subject.slug, subject.label) for subject in SUBJECTS.values()]
