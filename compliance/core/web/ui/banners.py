"""Banners at the top of every page. Apps register a provider in AppConfig.ready."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.http import HttpRequest

from compliance.core.web.ui.components import TagKind


class Banner(NamedTuple):
    """One banner. `link` is a URL and its label, for people who may open it."""

    words: str
    kind: TagKind
    link: tuple[str, str] | None = None


BannerProvider = Callable[[HttpRequest], Iterable[Banner]]
_providers: list[BannerProvider] = []


def register_provider(provider: BannerProvider) -> None:
    if provider not in _providers:
        _providers.append(provider)


def banners_for(request: HttpRequest) -> list[Banner]:
    return [banner for provider in _providers for banner in provider(request)]
