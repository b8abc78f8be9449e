"""The demo's token: another system may read the demo's findings and coverage. Its secret is not kept: nobody reads."""

from datetime import datetime

from compliance.accounts.demo import email_of
from compliance.accounts.models import Casino, User
from compliance.accounts.roles import Role
from compliance.inspectorate.models import ApiToken, Scope
from compliance.inspectorate.services import make_token

CASINO, NAME, DAYS = "harbour", "Register of the authority", 90


def make_demo_token(now: datetime) -> None:
    """Idempotent. Whoever wants to try the API makes a token of their own and is shown its secret once."""
    if not ApiToken.objects.exists():
        casino, officer = Casino.objects.get(slug=CASINO), User.objects.get(email=email_of(Role.AUTHORITY_OFFICER))
        make_token(
            name=NAME, casinos=[casino], scopes=[Scope.FINDINGS, Scope.COVERAGE], days=DAYS, actor=officer, now=now
        )
