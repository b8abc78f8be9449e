"""Keys that signed a log once and no longer do: each is believed up to the size at which it was retired.

A key goes on under another name when an epoch begins: under the old one it is retired, where the epoch before ended.

A text file beside the key, one line a log and key: the verifier key, a space, the last size it signed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from rounds.ledger.errors import LedgerError, NoteError
from rounds.ledger.formats.origin_names import is_same_log
from rounds.ledger.formats.signed_note import Checkpoint, VerifierKey, open_note, parse_decimal


class RetiredKey(NamedTuple):
    key: VerifierKey
    last_size: int

    def __str__(self) -> str:
        return f"{self.key} {self.last_size}"


class KnownKeys(NamedTuple):
    """The key that signs a log now, and those that did before it."""

    current: VerifierKey
    retired: tuple[RetiredKey, ...] = ()

    def open_checkpoint(self, note: bytes) -> Checkpoint:
        """What the note signs, if the key of its day signed it."""
        text, signed_by = open_note(note, [self.current, *(one.key for one in self.retired)])
        if self.current in signed_by:
            return Checkpoint.parse(text, self.current.name)
        checkpoint = Checkpoint.parse(text, signed_by[0].name)
        if all(checkpoint.head.size > one.last_size for one in self.retired if one.key in signed_by):
            raise NoteError("retired-key", "The note is signed by a key that was retired before.")
        return checkpoint

    def accepts(self, size: int, text_under: Callable[[str], bytes], signature: bytes) -> bool:
        """Whether a key signed the text that was the log's, under its name of then, when it had so many entries."""
        of_its_day = [self.current, *(one.key for one in self.retired if size <= one.last_size)]
        return any(key.accepts(text_under(key.name), signature) for key in of_its_day)


def retired_keys_path() -> Path:
    return Path(settings.LEDGER_KEY_FILE).parent / "retired-keys.txt"


def retired_keys_for(name: str) -> tuple[RetiredKey, ...]:
    """Those of one log, by any name under which it signs: with each epoch its name changes, too."""
    return tuple(one for one in _read_retired_keys() if is_same_log(one.key.name, name))


def add_retired_keys(keys: Iterable[RetiredKey]) -> None:
    """Replace the file in one step, readable by all: these are public."""
    path = retired_keys_path()
    fresh = path.with_suffix(".new")
    with fresh.open("w") as file:
        file.writelines(f"{one}\n" for one in (*_read_retired_keys(), *keys))
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


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
