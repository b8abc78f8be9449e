"""Command for setting up single sign-on: queries each provider and prints what it found."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.core.accounts.models import Casino
from compliance.core.accounts.sso.errors import SingleSignOnRefusal
from compliance.core.accounts.sso.metadata import provider_keys, provider_metadata
from compliance.core.accounts.sso.providers import Provider, all_providers


class Command(BaseCommand):
    help = "Ask each provider of OIDC_PROVIDERS for its addresses and keys. Ends with 1 if one is not as it should be."

    def handle(self, *args: Any, **options: Any) -> None:
        providers = all_providers()
        if not providers:
            raise CommandError("OIDC_PROVIDERS is not set, or its file names no provider.")
        wrong = [provider.slug for provider in providers if not self._is_reachable(provider)]
        if wrong:
            raise CommandError(f"Not as it should be: {', '.join(wrong)}.")

    def _is_reachable(self, provider: Provider) -> bool:
        now = timezone.now()
        self.stdout.write(f"{provider.slug}: {provider.issuer}")
        try:
            metadata, keys = provider_metadata(provider, now), provider_keys(provider, now)
        except SingleSignOnRefusal as refusal:
            self.stdout.write(f"  {refusal.title}. {refusal.__cause__ or refusal.detail}")
            return False
        self.stdout.write(f"  signing in at {metadata.authorization_endpoint}, keys: {len(keys.keys)}")
        self.stdout.write(f"  signing out at {metadata.end_session_endpoint or 'no address that it names'}")
        known = set(Casino.objects.filter(slug__in=provider.casinos).values_list("slug", flat=True))
        unknown = sorted(provider.casinos - known)
        if unknown:
            self.stdout.write(f"  no such casino: {', '.join(unknown)}")
        return not unknown
