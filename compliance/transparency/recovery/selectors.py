"""Who may see a log's state after a restore, and who may state what was lost."""

from dataclasses import dataclass

from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from compliance.core.accounts.ledger.account_events import SITE_LOG
from compliance.core.accounts.models import Casino, RoleAssignment, User
from compliance.core.accounts.roles import GOVERNMENT_SIDE, Role
from compliance.core.web.errors import NotFound
from rounds.ledger import every_log

# Administrators, because they or their colleagues ran the restore; compliance officers are responsible for the records.
MAY_SEE = GOVERNMENT_SIDE | {Role.ADMINISTRATOR, Role.COMPLIANCE_OFFICER}
# Separation of duties: those who lost records must not decide which they were.
MAY_BEGIN = GOVERNMENT_SIDE


@dataclass(frozen=True)
class RestoredLog:
    """A log and its casino; the site's log has none."""

    slug: str
    casino: Casino | None

    def __str__(self) -> str:
        return self.casino.name if self.casino else "The site itself"

    def get_absolute_url(self) -> str:
        return reverse("restores:log", kwargs={"log": self.slug})


def logs_visible_to(user: User) -> list[RestoredLog]:
    casinos = {casino.slug: casino for casino in user.casinos_with(*MAY_SEE)}
    return [RestoredLog(slug, casinos.get(slug)) for slug in every_log() if slug in casinos or slug == SITE_LOG]


def access_halted_log(user: User, slug: str) -> RestoredLog:
    found = next((log for log in logs_visible_to(user) if log.slug == slug), None)
    if found is None or not user.has_role(*MAY_SEE):
        raise NotFound
    return found


def may_begin_epoch(user: User, log: RestoredLog) -> bool:
    """The government's users of that casino; for the site's log, of any casino. If there is none who can sign in, an
    administrator: otherwise the log could never be opened again.
    """
    if user.has_role(*MAY_BEGIN, casino=log.casino):
        return True
    return user.has_role(Role.ADMINISTRATOR, casino=log.casino) and not _has_government_role(log.casino)


def _has_government_role(casino: Casino | None) -> bool:
    held = RoleAssignment.objects.current().filter(role__in=GOVERNMENT_SIDE, user__is_active=True)
    here = held if casino is None else held.filter(casino=casino)
    proved = TOTPDevice.objects.filter(confirmed=True).values("user")
    return here.filter(user__in=proved).exists()
