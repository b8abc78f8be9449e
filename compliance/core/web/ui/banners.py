"""What every page says at its top. Apps register in AppConfig.ready who has something to say."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.http import HttpRequest

from compliance.core.web.ui.components import TagKind


class Banner(NamedTuple):
    """Words for everybody; `link` is an address and its words, for those who may open it."""

    words: str
    kind: TagKind
    link: tuple[str, str] | None = None


BannerProvider = Callable[[HttpRequest], Iterable[Banner]]
_providers: list[BannerProvider] = []


def register_provider(provider: BannerProvider) -> None:
    if provider not in _providers:
        _providers.append(provider)


def banners_for(request: HttpRequest) -> list[Banner]:
    return [banner for speaker in _providers for banner in speaker(request)]
