"""The spool: lines on disk, numbered and durable before they are sent, with the offset up to which they were receipted.
`lines.ndjson` is append-only; `sent` has the offset; `aside.ndjson` has refused lines with the reason, for a person.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any


class Spool:
    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.lines, self.aside, self.sent = (folder / name for name in ("lines.ndjson", "aside.ndjson", "sent"))
        self._sequences: dict[str, int] = {}
        self._recover_after_crash()

    def add(self, kind: str, table: str, at: datetime, body: Mapping[str, Any]) -> bytes:
        """Numbers a line and writes it. It is durable (fsync) when this returns."""
        sequence = self._sequences.get(table, 0) + 1
        line = encode_line(kind, table, sequence, at, body)
        _append_durably(self.lines, line)
        self._sequences[table] = sequence
        return line

    def last_sequence(self, table: str) -> int:
        """The last number given out, which a heart-beat reports. Heart-beats themselves are not spooled."""
        return self._sequences.get(table, 0)

    def pending_lines(self, most: int) -> list[bytes]:
        """The oldest lines without a receipt."""
        with self.lines.open("rb") as file:
            file.seek(self._sent_offset())
            return [line.rstrip(b"\n") for line, _ in zip(file, range(most), strict=False)]

    def quarantine_line(self, line: bytes, reason: Mapping[str, Any]) -> None:
        """Stores a refused line with the reason, for a person, so that it does not block the lines behind it."""
        _append_durably(
            self.aside, json.dumps({"reason": dict(reason), "line": line.decode(errors="replace")}).encode()
        )

    def mark_sent(self, lines: list[bytes]) -> None:
        """Advances the offset past lines that were receipted or quarantined. Atomic write: after a crash they are at
        worst sent again."""
        self._save_sent_offset(self._sent_offset() + sum(len(line) + 1 for line in lines))

    def resend_from(self, table: str, sequence: int) -> None:
        """Moves the offset back after the service lost receipted lines, as in a restore. Lines that it still has are
        receipted again."""
        offset = 0
        with self.lines.open("rb") as file:
            for line in file:
                content = json.loads(line)
                if content["table"] == table and content["sequence"] >= sequence:
                    break
                offset += len(line)
        self._save_sent_offset(min(offset, self._sent_offset()))

    def _save_sent_offset(self, offset: int) -> None:
        draft = self.sent.with_suffix(".new")
        with draft.open("w") as file:
            file.write(str(offset))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.sent)

    def _sent_offset(self) -> int:
        return int(self.sent.read_text()) if self.sent.exists() else 0

    def _recover_after_crash(self) -> None:
        """Truncates an incomplete last line, which was never reported as durable, and finds each table's last
        number."""
        self.lines.touch()
        with self.lines.open("rb+") as file:
            whole = 0
            for line in file:
                if not line.endswith(b"\n"):
                    file.truncate(whole)
                    break
                whole += len(line)
                content = json.loads(line)
                self._sequences[content["table"]] = content["sequence"]


def encode_line(kind: str, table: str, sequence: int, at: datetime, body: Mapping[str, Any]) -> bytes:
    content = {"kind": kind, "table": table, "sequence": sequence, "at": at.isoformat(), "body": body}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()


def _append_durably(path: Path, line: bytes) -> None:
    with path.open("ab") as file:
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())
