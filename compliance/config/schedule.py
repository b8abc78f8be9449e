"""What beat rings, and how often. A lost or doubled ring changes nothing."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bell:
    task: str
    seconds: float


BELLS = (Bell("compliance.web.tasks.pulse", seconds=10.0),)
