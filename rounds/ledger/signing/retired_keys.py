"""Keys that no longer sign a log. Each is trusted up to the size at which it was retired.

Beginning an epoch retires the key under the old origin. Stored as a text file next to the key, one line for each log
and key: the verifier key, a space, the last size it signed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from compliance.core.web.files.atomic_write import write_atomically
from rounds.transparency_log.errors import LedgerError, NoteError
from rounds.transparency_log.formats.origin_names import is_same_log
from rounds.transparency_log.formats.signed_note import Checkpoint, VerifierKey, open_note, parse_decimal


class RetiredKey(NamedTuple):
    key: VerifierKey
    last_size: int

    def __str__(self) -> str:
        return f"{self.key} {self.last_size}"


class KnownKeys(NamedTuple):
    """The key that signs a log now, and its retired keys."""

    current: VerifierKey
    retired: tuple[RetiredKey, ...] = ()

    def open_checkpoint(self, note: bytes) -> Checkpoint:
        """Verify the note and return its checkpoint. Refuses one that a key signed for a size after its retirement."""
        text, signed_by = open_note(note, [self.current, *(one.key for one in self.retired)])
        if self.current in signed_by:
            return Checkpoint.parse(text, self.current.name)
        checkpoint = Checkpoint.parse(text, signed_by[0].name)
        if all(checkpoint.head.size > one.last_size for one in self.retired if one.key in signed_by):
            raise NoteError("retired-key", "The note is signed by a key that was retired before.")
        return checkpoint

    def accepts(self, size: int, text_under: Callable[[str], bytes], signature: bytes) -> bool:
        """Whether the key that was valid at this size signed the text.

        ``text_under`` makes the text for the key's name.
        """
        valid_keys = [self.current, *(one.key for one in self.retired if size <= one.last_size)]
        return any(key.accepts(text_under(key.name), signature) for key in valid_keys)


def retired_keys_path() -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "retired-keys.txt"


def retired_keys_for(name: str) -> tuple[RetiredKey, ...]:
    """The retired keys of one log, under all its origins: each epoch changes the name."""
    return tuple(one for one in _read_retired_keys() if is_same_log(one.key.name, name))


def add_retired_keys(keys: Iterable[RetiredKey]) -> None:
    """Extends the file. Readable by all: these keys are public."""
    lines = "".join(f"{one}\n" for one in (*_read_retired_keys(), *keys))
    write_atomically(retired_keys_path(), lines.encode(), mode=0o644)


def _read_retired_keys() -> tuple[RetiredKey, ...]:
    try:
        lines = retired_keys_path().read_text().splitlines()
    except FileNotFoundError:
        return ()
    except (OSError, ValueError) as error:
        raise LedgerError("no-key", f"The list of retired keys {retired_keys_path()} cannot be read.") from error
    return tuple(_parse_line(line) for line in lines if line)


def _parse_line(line: str) -> RetiredKey:
    key, _, last_size = line.rpartition(" ")
    return RetiredKey(VerifierKey.parse(key), parse_decimal(last_size, "last size"))
