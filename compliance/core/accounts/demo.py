"""Five demo casinos and a person for each role, whose passwords and codes are published. Only in demo mode."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.auth.second_factor import totp_at
from compliance.core.accounts.ledger.account_events import SITE_LOG, RegulatedAct, record_regulated_acts
from compliance.core.accounts.models import DEMO_DOMAIN, Casino, EventKind, RoleAssignment, User
from compliance.core.accounts.roles import Role
from rounds.ledger import open_log

CASINOS = (
    ("harbour", "Harbour Casino", "Australia/Sydney"),
    ("sentosa", "Sentosa Casino", "Asia/Singapore"),
    ("marina", "Marina Casino", "Asia/Singapore"),
    ("adelaide", "Adelaide Casino", "Australia/Adelaide"),
    ("boardwalk", "Boardwalk Casino", "America/New_York"),
)
PASSWORD = "sic bo on the harbour"  # noqa: S105 - published on purpose

CODES_USED_UP = "the codes of this half minute are used. Wait half a minute, then load this page again."


class NotADemoError(Exception):
    """Raised when demo people would be created outside demo mode."""


@dataclass(frozen=True)
class DemoSignIn:
    """Published credentials of a demo person. `code` is the second-factor code that works now."""

    email: str
    password: str
    role: Role
    code: str = ""


def demo_email(role: Role) -> str:
    return f"{role.value}{DEMO_DOMAIN}"


def demo_totp_key(role: Role) -> str:
    """A fixed TOTP key: the role's name, padded to twenty bytes."""
    return f"demo {role.value}".encode().ljust(20, b".")[:20].hex()


def demo_sign_ins(now: datetime | None = None) -> list[DemoSignIn]:
    if not settings.DEMO:
        return []
    codes = _current_codes(now) if now else {}
    return [DemoSignIn(demo_email(role), PASSWORD, role, codes.get(demo_email(role), "")) for role in Role]


def demo_code(user: User, now: datetime) -> str:
    """The code that a demo person can use now, or ""."""
    return _current_codes(now, user).get(user.email, "") if settings.DEMO and user.is_demo else ""


def demo_hint(user: User, now: datetime) -> str:
    """Hint next to the code field for demo people; "" for anybody else."""
    if not (settings.DEMO and user.is_demo):
        return ""
    code = demo_code(user, now)
    return f"the code for this person is {code}" if code else CODES_USED_UP


def _current_codes(now: datetime, user: User | None = None) -> dict[str, str]:
    devices = TOTPDevice.objects.filter(user__email__endswith=DEMO_DOMAIN, confirmed=True).select_related("user")
    if user is not None:
        devices = devices.filter(user=user)
    return {device.user.email: _next_unused_code(device, now) for device in devices}


def _next_unused_code(device: TOTPDevice, now: datetime) -> str:
    """The first code that was not used yet. The next time step is accepted already, so nobody has to wait long."""
    totp = totp_at(device.key, now)
    step = max(totp.t(), device.last_t + 1)
    if step > totp.t() + 1:
        return ""
    totp.drift = step - totp.t()
    return f"{totp.token():06}"


@transaction.atomic
def make_demo_people(now: datetime) -> None:
    """Creates the demo's casinos, people and roles.
    Idempotent; existing people are unchanged, but a lost second factor is restored."""
    if not settings.DEMO:
        raise NotADemoError
    casinos = [
        Casino.objects.get_or_create(slug=slug, defaults={"name": name, "time_zone": zone, "created_at": now})[0]
        for slug, name, zone in CASINOS
    ]
    open_log(SITE_LOG, now)
    for casino in casinos:
        open_log(casino.slug, now)
    people = {role: _make_person(role, now) for role in Role}
    for role, person in people.items():
        TOTPDevice.objects.get_or_create(user=person, defaults={"name": "Demo", "key": demo_totp_key(role)})
    for casino in sorted(casinos, key=lambda casino: casino.slug):
        _give_missing_roles(casino, people, now)


def _give_missing_roles(casino: Casino, people: dict[Role, User], now: datetime) -> None:
    """Gives the roles that were never given. Lock order: logs by name, as everywhere. No e-mails are sent."""
    given_before = set(casino.roles.filter(user__in=people.values()).values_list("user_id", "role"))
    missing = {role: person for role, person in people.items() if (person.pk, role.value) not in given_before}
    RoleAssignment.objects.bulk_create(
        RoleAssignment(user=person, casino=casino, role=role, given_at=now) for role, person in missing.items()
    )
    given = [RegulatedAct(kind=EventKind.ROLE_GIVEN, subject=person, role=role) for role, person in missing.items()]
    record_regulated_acts(*given, casino=casino, at=now, send_emails=False)


def _make_person(role: Role, now: datetime) -> User:
    person = User.objects.filter(email=demo_email(role)).first()
    if person is None:
        person = User(email=demo_email(role), name=role.label, created_at=now)
        person.set_password(PASSWORD)
        person.save()
    return person
