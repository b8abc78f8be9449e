"""Who may see how a log stands after a restore, and who says what was lost."""

from dataclasses import dataclass

from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.ledger.account_events import SITE_LOG
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import GOVERNMENT_ROLES, Role
from compliance.core.web.errors import NotFound
from rounds.ledger import every_log

# Administrators, because they or those whom they know ran the restore; compliance officers answer for the records.
MAY_SEE = GOVERNMENT_ROLES | {Role.ADMINISTRATOR, Role.COMPLIANCE_OFFICER}
# Whoever lost records must not be the one to say which they were.
MAY_BEGIN = GOVERNMENT_ROLES


@dataclass(frozen=True)
class RestoredLog:
    """A log and whose it is; the site's belongs to no casino."""

    slug: str
    casino: Casino | None

    def __str__(self) -> str:
        return self.casino.name if self.casino else "The site itself"


def logs_visible_to(user: User) -> list[RestoredLog]:
    casinos = {casino.slug: casino for casino in user.casinos_with(*MAY_SEE)}
    return [RestoredLog(slug, casinos.get(slug)) for slug in every_log() if slug in casinos or slug == SITE_LOG]


def access_log(user: User, slug: str) -> RestoredLog:
    found = next((log for log in logs_visible_to(user) if log.slug == slug), None)
    if found is None or not user.has_role(*MAY_SEE):
        raise NotFound
    return found


def may_begin_epoch(user: User, log: RestoredLog) -> bool:
    """The government's people of that casino, for the site's log of any. Where there is nobody of them who could, an
    administrator: a log that nobody can open again would be worse."""
    if user.has_role(*MAY_BEGIN, casino=log.casino):
        return True
    return user.has_role(Role.ADMINISTRATOR, casino=log.casino) and not _has_government(log.casino)


def _has_government(casino: Casino | None) -> bool:
    held = RoleAssignment.objects.current().filter(role__in=GOVERNMENT_ROLES, user__is_active=True)
    here = held if casino is None else held.filter(casino=casino)
    proved = TOTPDevice.objects.filter(confirmed=True).values("user")
    return here.filter(user__in=proved).exists()
