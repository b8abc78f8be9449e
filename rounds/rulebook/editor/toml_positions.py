"""Position of each key in a TOML text: line numbers for messages, offsets for rewriting a single value.

tomllib reports no positions. This scanner reads positions only and recovers from syntax errors at the next line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate

MAX_NESTING = 40
# Bounds the work on unclosed values, each of which is scanned to the end of the text: this many times its length.
MAX_PASSES = 4
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_BASIC_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL_TEXT = re.compile(r"'[^'\n]*'")
_LONG_TEXT = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}', re.DOTALL)
_PLAIN_VALUE = re.compile(r"[^\s,\]}#]+(?: [0-9:.+Z-]+)?")
_BLANKS = re.compile(r"[ \t]*")
_BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")

KeyPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyPosition:
    """`start` and `end` are offsets of the value. `adds_at`: where to insert a further key, if it is a table."""

    line: int
    start: int
    end: int
    adds_at: int = -1
    is_inline: bool = False


@dataclass(frozen=True, slots=True)
class TomlSection:
    """A table heading such as [law.wager.small], and its line."""

    name: str
    line: int


class _UnexpectedText(Exception):
    """A syntax error; the scanner skips to the next line."""


class TomlPositions:
    """The position of every key of one text, by the dotted names in the engine's messages."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sections: list[TomlSection] = []
        self._found: dict[KeyPath, KeyPosition] = {}
        self._by_name: dict[str, KeyPosition] = {}
        self._elements: dict[KeyPath, int] = {}
        self._table: KeyPath = ()
        self._reached = 0
        self._line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._scan()
        self._by_name = {".".join(path): position for path, position in reversed(self._found.items())}

    def position_of(self, key: str) -> KeyPosition | None:
        return self._by_name.get(key)

    def line_of(self, key: str) -> int | None:
        """The line of a key, or of the nearest existing table around it."""
        name = key.partition(" → ")[0]
        while name:
            if name in self._by_name:
                return self._by_name[name].line
            name = name.rpartition(".")[0]
        return None

    def line_at(self, position: int) -> int:
        return bisect_right(self._line_starts, position)

    def _scan(self) -> None:
        at = wasted = 0
        self._store_position((), 0, 0)
        while (at := self._skip_blanks_and_comments(at)) < len(self.text) and wasted <= MAX_PASSES * len(self.text):
            try:
                at = self._scan_heading(at) if self.text[at] == "[" else self._scan_statement(at)
            except _UnexpectedText:
                wasted += max(0, self._reached - at)
                at = self._end_of_line(at)

    def _scan_heading(self, start: int) -> int:
        is_element = self.text.startswith("[[", start)
        path, at = self._scan_key(start + 1 + is_element)
        closing = "]]" if is_element else "]"
        if not self.text.startswith(closing, at):
            raise _UnexpectedText
        end = at + len(closing)
        path = self._resolve_list_elements(path, is_element)
        self.sections.append(TomlSection(".".join(path), self.line_at(start)))
        for length in range(1, len(path) + 1):
            self._store_position(path[:length], start, end)
        self._table = path
        # The table may have been stored before as the parent of another; keys are inserted under its own heading.
        self._found[path] = replace(self._found[path], adds_at=self._end_of_line(end))
        return end

    def _resolve_list_elements(self, path: KeyPath, is_element: bool) -> KeyPath:
        """Adds list indexes to a path: [[a]] begins the next element, and [a.b] belongs to the latest one."""
        resolved: KeyPath = ()
        for position, name in enumerate(path):
            resolved += (name,)
            is_last = position == len(path) - 1
            if is_last and is_element:
                self._elements[resolved] = self._elements.get(resolved, -1) + 1
            if resolved in self._elements and (is_element or not is_last):
                resolved += (str(self._elements[resolved]),)
        return resolved

    def _scan_statement(self, start: int) -> int:
        end = self._scan_pair(start, self._table, 0)
        home = self._found[self._table]
        self._found[self._table] = replace(home, adds_at=self._end_of_line(end))
        return end

    def _scan_pair(self, start: int, table: KeyPath, depth: int) -> int:
        key, at = self._scan_key(start)
        if not self.text.startswith("=", at):
            raise _UnexpectedText
        at = self._skip_blanks(at + 1)
        for length in range(1, len(key)):
            self._store_position(table + key[:length], start, start)
        return self._scan_value(at, table + key, depth)

    def _scan_key(self, at: int) -> tuple[KeyPath, int]:
        """The parts of a dotted key, and the offset after it and following blanks."""
        parts: list[str] = []
        while True:
            at = self._skip_blanks(at)
            if found := _BARE_KEY.match(self.text, at):
                parts.append(found[0])
            elif found := _BASIC_TEXT.match(self.text, at) or _LITERAL_TEXT.match(self.text, at):
                parts.append(found[0][1:-1])
            else:
                raise _UnexpectedText
            at = self._skip_blanks(found.end())
            if not self.text.startswith(".", at):
                return tuple(parts), at
            if len(parts) > MAX_NESTING:
                raise _UnexpectedText
            at += 1

    def _scan_value(self, start: int, path: KeyPath, depth: int) -> int:
        self._reached = start
        if depth > MAX_NESTING or start >= len(self.text):
            raise _UnexpectedText
        letter, adds_at = self.text[start], -1
        if letter == "[":
            end = self._scan_list(start, path, depth + 1)
        elif letter == "{":
            end, adds_at = self._scan_inline_table(start, path, depth + 1)
        else:
            end = self._scan_scalar(start)
        self._store_position(path, start, end, adds_at)
        return end

    def _scan_scalar(self, start: int) -> int:
        kinds = (_LONG_TEXT, _BASIC_TEXT, _LITERAL_TEXT, _PLAIN_VALUE)
        for kind in kinds[:1] if self.text.startswith(('"""', "'''"), start) else kinds[1:]:
            if found := kind.match(self.text, start):
                return found.end()
        raise _UnexpectedText

    def _scan_list(self, start: int, path: KeyPath, depth: int) -> int:
        at, index = self._skip_blanks_and_comments(start + 1), 0
        while not self.text.startswith("]", at):
            at = self._skip_blanks_and_comments(self._scan_value(at, (*path, str(index)), depth))
            index += 1
            if self.text.startswith(",", at):
                at = self._skip_blanks_and_comments(at + 1)
            elif not self.text.startswith("]", at):
                raise _UnexpectedText
        return at + 1

    def _scan_inline_table(self, start: int, path: KeyPath, depth: int) -> tuple[int, int]:
        at = last = self._skip_blanks_and_comments(start + 1)
        while not self.text.startswith("}", at):
            last = self._scan_pair(at, path, depth)
            at = self._skip_blanks_and_comments(last)
            if self.text.startswith(",", at):
                at = self._skip_blanks_and_comments(at + 1)
            elif not self.text.startswith("}", at):
                raise _UnexpectedText
        return at + 1, last

    def _store_position(self, path: KeyPath, start: int, end: int, adds_at: int = -1) -> None:
        if path not in self._found:
            self._found[path] = KeyPosition(self.line_at(start), start, end, adds_at, adds_at >= 0)

    def _skip_blanks(self, at: int) -> int:
        return _match_end(_BLANKS.match(self.text, at))

    def _skip_blanks_and_comments(self, at: int) -> int:
        return _match_end(_BLANKS_AND_COMMENTS.match(self.text, at))

    def _end_of_line(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end


def _match_end(match: re.Match[str] | None) -> int:
    assert match is not None
    return match.end()
