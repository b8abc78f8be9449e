"""People of the promotions tests: Mara is marketing, Cleo compliance officer, Aron authority officer at Harbour.

Ines is inspector, Ada administrator; Otto, at Marina, is the outsider. Harbour has the NSW rules, Marina those of MBS.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role
from promotions.terms.content.terms import Prize, Terms
from promotions.terms.models import Draft, Promotion, TermsVersion
from promotions.terms.services import begin_draft, file_terms
from rounds.floor.fact_values import Holiday, HolidaysValue
from rounds.floor.services import record_fact
from rounds.rulebook.versions.approve import approve_version, expected_effective_at
from rounds.rulebook.versions.propose import propose_version, read_source_upload
from rounds.rulepacks import PACK_FOLDER
from rounds.transparency_log.formats.leaf import encode_timestamp
from tests.compliance.core.accounts.people import LONG_AGO, Cast, assemble, give_phone, hire
from tests.fixture_snapshots import snapshotted

# Friday 13 November 2026, 10:00 in Sydney.
NOW = datetime(2026, 11, 12, 23, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
START = NOW + 10 * DAY
RUNS, CLOSES_AFTER, AWARDED_AFTER = 14 * DAY, 12 * DAY, 13 * DAY

CAR = Prize(
    name="Hatchback",
    type="vehicle",
    value_cents=2_500_000,
    details={"make": "Acme", "model": "Zip", "accessories": "Floor mats", "on-road-costs": "All included"},
)
TRIP = Prize(
    name="Trip to Cairns",
    type="travel",
    value_cents=400_000,
    details={
        "persons": "2",
        "airfares": "Return, economy",
        "transfers": "Included",
        "other-transport": "Not included",
        "duration": "4 nights",
        "accommodation-standard": "Four stars",
        "meals": "Breakfast",
        "date-restrictions": "Not in school holidays",
        "spending-money": "$500",
    },
)
VOUCHER = Prize(name="Dinner", type="goods", value_cents=10_000)


@dataclass(frozen=True)
class Crew:
    cast: Cast
    cleo: User
    aron: User

    @property
    def harbour(self) -> Casino:
        return self.cast.harbour

    @property
    def mara(self) -> User:
        return self.cast.mara


@snapshotted
def make_crew() -> Crew:
    cast = assemble()
    cleo, aron = (
        hire(name, cast.harbour, role, by=cast.ada)
        for name, role in (("cleo", Role.COMPLIANCE_OFFICER), ("aron", Role.AUTHORITY_OFFICER))
    )
    for person in (cleo, aron):
        give_phone(person)
    approve_rules(cast.harbour, "nsw-sic-bo", cleo, cast.ines)
    return Crew(cast, cleo, aron)


def approve_rules(casino: Casino, rules: str, proposer: User, approver: User) -> None:
    version = propose_version(
        casino=casino,
        pack_content=(PACK_FOLDER / f"{rules}.toml").read_bytes(),
        pack_file=f"{rules}.toml",
        source=read_source_upload(b"The rules.", "rules.txt"),
        readings={},
        actor=proposer,
        now=LONG_AGO,
    )
    approve_version(
        version=version,
        effective_at=expected_effective_at(version) or LONG_AGO,
        time_zone=casino.time_zone,
        evidence="Gazette.",
        edge_reason="As printed.",
        actor=approver,
        now=LONG_AGO,
    )


def answers(
    starts_at: datetime = START, *prizes: Prize, presence: str = "not-required", **changes: Any
) -> dict[str, Any]:
    """Complete terms under the NSW rules."""
    whole = {
        "name": "Spring Draw",
        "place-date-and-time-of-promotion": {
            "place": "Main gaming floor",
            "starts_at": encode_timestamp(starts_at),
            "ends_at": encode_timestamp(starts_at + RUNS),
        },
        "manner-of-award": {"text": "One entry is drawn from a barrel for each prize."},
        "when-and-where-awarded": {
            "awarded_at": encode_timestamp(starts_at + AWARDED_AFTER),
            "where": "The stage beside the bar",
        },
        "eligibility": {"text": "Members aged 18 or more."},
        "minimum-wager": {"kind": "minimum", "cents": 2_000, "text": ""},
        "nature-and-qualifications": {"text": "The prizes described below. No guarantee beyond the maker's."},
        "closing-of-entries": {"closes_at": encode_timestamp(starts_at + CLOSES_AFTER)},
        "method-of-claiming": {"text": "At the members' desk within 30 days.", "presence": presence},
        "notification-of-winner": {"methods": ["telephone", "email"], "text": ""},
        "publication-of-results": {"text": "On a screen at the entrance for two weeks."},
        "scrutineer": {"name": "Sam Scrutineer"},
    } | changes
    return dict(Terms(whole).with_prizes(prizes or (CAR, TRIP)).answers)


def make_draft(
    crew: Crew, content: dict[str, Any], *, promotion: Promotion | None = None, now: datetime = NOW
) -> Draft:
    draft = begin_draft(casino=crew.harbour, promotion=promotion, actor=crew.mara, now=now)
    draft.answers = content
    draft.save()
    return draft


def file_example_terms(
    crew: Crew, starts_at: datetime = START, *prizes: Prize, now: datetime = NOW, **changes: Any
) -> TermsVersion:
    return file_terms(draft=make_draft(crew, answers(starts_at, *prizes, **changes), now=now), actor=crew.mara, now=now)


def set_holidays(crew: Crew, *days: Holiday, working_days: tuple[Holiday, ...] = ()) -> None:
    """Records corrections of the public holidays."""
    corrections = HolidaysValue(days=days, working_days=working_days)
    record_fact(casino=crew.harbour, value=corrections, effective_at=LONG_AGO, actor=crew.cleo, now=LONG_AGO)
