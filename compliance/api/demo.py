"""The demo's token: another system may read the demo's findings and coverage. Its secret is not kept: nobody reads."""

from datetime import datetime

from compliance.api.models import ApiToken, Scope
from compliance.api.tokens.services import make_token
from compliance.core.accounts.demo import demo_email
from compliance.core.accounts.models import Casino, User
from compliance.core.accounts.roles import Role

CASINO, NAME, DAYS = "harbour", "Register of the authority", 90


def make_demo_token(now: datetime) -> None:
    """Idempotent. Whoever wants to try the API makes a token of their own and is shown its secret once."""
    if not ApiToken.objects.exists():
        casino, officer = Casino.objects.get(slug=CASINO), User.objects.get(email=demo_email(Role.AUTHORITY_OFFICER))
        make_token(
            name=NAME, casinos=[casino], scopes=[Scope.FINDINGS, Scope.COVERAGE], days=DAYS, actor=officer, now=now
        )
