"""Writes rows into Parquet files, one folder per gaming day, in row groups of equal size.

Several days are open at once, because tables change their gaming day at different times. Rows that come after a day was
closed, such as rounds entered from paper, go into another part of the day.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

# Large enough for fast reading, small enough that several processors share a day.
ROWS_PER_GROUP = 131_072
MAX_OPEN_FILES = 4


class DayPartitionWriter:
    """Writer of one table of an export. Buffers rows until it is closed."""

    def __init__(self, folder: Path, schema: Any, casino: str) -> None:
        self.folder, self.schema, self.casino = folder, schema, casino
        self._open: dict[date, _PartWriter] = {}
        self._parts: Counter[date] = Counter()

    def add(self, day: date, rows: Any) -> None:
        if not rows.num_rows:
            return
        part = self._open.pop(day, None) or self._open_next_part(day)
        # Re-inserted at the end: the first is the least recently used, and is closed first.
        self._open[day] = part
        part.add(rows)
        if len(self._open) > MAX_OPEN_FILES:
            self._open.pop(next(iter(self._open))).close()

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()

    def _open_next_part(self, day: date) -> _PartWriter:
        folder = self.folder / f"casino={self.casino}" / f"gaming_day={day}"
        folder.mkdir(parents=True, exist_ok=True)
        number = self._parts[day]
        self._parts[day] += 1
        return _PartWriter(folder / f"part-{number:05}.parquet", self.schema)


class _PartWriter:
    """Writer of one file; buffers rows up to a full row group."""

    def __init__(self, path: Path, schema: Any) -> None:
        self._writer = open_writer(path, schema)
        self._held: list[Any] = []
        self._rows = 0

    def add(self, rows: Any) -> None:
        self._held.append(rows)
        self._rows += rows.num_rows
        while self._rows >= ROWS_PER_GROUP:
            self._write_row_group(ROWS_PER_GROUP)

    def _write_row_group(self, count: int) -> None:
        held = pa.concat_tables(self._held)
        self._writer.write_table(held.slice(0, count), row_group_size=count)
        self._held, self._rows = [held.slice(count)], self._rows - count

    def close(self) -> None:
        if self._rows:
            self._write_row_group(self._rows)
        self._writer.close()


def open_writer(path: Path, schema: Any) -> Any:
    """With page checksums, so that corruption is detected and not read as a value."""
    return pq.ParquetWriter(
        path, schema, compression="zstd", compression_level=1, use_dictionary=True, write_page_checksum=True
    )
