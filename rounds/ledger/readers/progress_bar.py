"""Progress bar for commands that read a whole log. Prints nothing unless it runs on a terminal."""

from collections.abc import Callable

from django.core.management.base import OutputWrapper

BAR_WIDTH = 30

# (done, total)
ProgressCallback = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Ignores progress."""


def make_progress_bar(screen: OutputWrapper, label: str) -> ProgressCallback:
    """Returns a callback that draws on standard error, so that standard output stays clean."""

    def show(done: int, total: int) -> None:
        share = min(1.0, done / total) if total else 1.0
        bar = ("#" * int(share * BAR_WIDTH)).ljust(BAR_WIDTH, ".")
        screen.write(f"\r{label} [{bar}] {done:,} of {total:,} entries", ending="\n" if done >= total else "")

    return show if screen.isatty() else no_progress
