"""Providers that are mandatory for their people: a password alone opens nothing then."""

from django.http import HttpRequest

from compliance.core.accounts.models import User
from compliance.core.accounts.sso.providers import Provider, all_providers
from compliance.core.accounts.sso.session_state import SIGNED_IN_BY_KEY


def missing_required_provider(request: HttpRequest, user: User) -> Provider | None:
    """The provider by which this person must still sign in. Reads no roles if no provider is mandatory."""
    mandatory = [provider for provider in all_providers() if provider.is_required]
    applicable = [provider for provider in mandatory if provider.covers_person(user)]
    signed_in_by = request.session.get(SIGNED_IN_BY_KEY)
    return None if any(provider.slug == signed_in_by for provider in applicable) else next(iter(applicable), None)
