"""What every page says at its top. Apps register in AppConfig.ready who has something to say."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.http import HttpRequest

from compliance.web.components import Kind


class Banner(NamedTuple):
    """Words for everybody; `link` is an address and its words, for those who may open it."""

    words: str
    kind: Kind
    link: tuple[str, str] | None = None


Speaker = Callable[[HttpRequest], Iterable[Banner]]
_speakers: list[Speaker] = []


def register(speaker: Speaker) -> None:
    if speaker not in _speakers:
        _speakers.append(speaker)


def banners(request: HttpRequest) -> list[Banner]:
    return [banner for speaker in _speakers for banner in speaker(request)]
