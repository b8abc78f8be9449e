"""Demo token for findings and coverage. Its secret is not stored, so it cannot be used."""

from datetime import datetime

from compliance.api.models import ApiToken, Scope
from compliance.api.tokens.services import make_token
from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role

CASINO, NAME, DAYS = "harbour", "Register of the authority", 90


def make_demo_token(now: datetime) -> None:
    """Idempotent. To try the API, make another token, whose secret is shown once."""
    if not ApiToken.objects.exists():
        casino, officer = Casino.objects.get(slug=CASINO), User.objects.get(email=demo_email(Role.AUTHORITY_OFFICER))
        make_token(
            name=NAME, casinos=[casino], scopes=[Scope.FINDINGS, Scope.COVERAGE], days=DAYS, actor=officer, now=now
        )
