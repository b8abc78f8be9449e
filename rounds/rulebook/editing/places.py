"""Where each key of a TOML text stands: its line, for messages, and its exact place, for rewriting just that value.

tomllib says what a text means but not where. This reads places only, and is lenient: what it cannot follow it passes
over line by line, so that a text with a mistake in it still has its table of contents.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate

MOST_NESTED = 40
# What begins and never ends is read to the end of the text and left; so often, all taken together, and no more.
MOST_PASSES = 4
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_BASIC_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL_TEXT = re.compile(r"'[^'\n]*'")
_LONG_TEXT = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}', re.DOTALL)
_PLAIN_VALUE = re.compile(r"[^\s,\]}#]+(?: [0-9:.+Z-]+)?")
_BLANKS = re.compile(r"[ \t]*")
_BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """`start` and `end` of a value in the text; `adds_at`: where a further key of this table would be written."""

    line: int
    start: int
    end: int
    adds_at: int = -1
    is_inline: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the text, [law.wager.small], and the line it stands on."""

    name: str
    line: int


class _Lost(Exception):
    """Here the text is not what was expected."""


class Places:
    """The places of every key of one text, by the dotted names that the engine's messages use."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sections: list[Section] = []
        self._found: dict[Path, Place] = {}
        self._by_name: dict[str, Place] = {}
        self._elements: dict[Path, int] = {}
        self._table: Path = ()
        self._reached = 0
        self._line_starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._read()
        self._by_name = {".".join(path): place for path, place in reversed(self._found.items())}

    def of(self, key: str) -> Place | None:
        return self._by_name.get(key)

    def line_of(self, key: str) -> int | None:
        """The line of a key; of the table that it would stand in, if it is not there."""
        name = key.partition(" → ")[0]
        while name:
            if name in self._by_name:
                return self._by_name[name].line
            name = name.rpartition(".")[0]
        return None

    def line_at(self, position: int) -> int:
        return bisect_right(self._line_starts, position)

    def _read(self) -> None:
        at = in_vain = 0
        self._note((), 0, 0)
        while (at := self._skip(at)) < len(self.text) and in_vain <= MOST_PASSES * len(self.text):
            try:
                at = self._heading(at) if self.text[at] == "[" else self._statement(at)
            except _Lost:
                in_vain += max(0, self._reached - at)
                at = self._end_of_line(at)

    def _heading(self, start: int) -> int:
        is_element = self.text.startswith("[[", start)
        path, at = self._key(start + 1 + is_element)
        closing = "]]" if is_element else "]"
        if not self.text.startswith(closing, at):
            raise _Lost
        end = at + len(closing)
        path = self._with_elements(path, is_element)
        self.sections.append(Section(".".join(path), self.line_at(start)))
        for length in range(1, len(path) + 1):
            self._note(path[:length], start, end)
        self._table = path
        # Written again, or first met as the parent of another: keys are added under its own heading.
        self._found[path] = replace(self._found[path], adds_at=self._end_of_line(end))
        return end

    def _with_elements(self, path: Path, is_element: bool) -> Path:
        """[[a]] begins the next element of a list; [a.b] is then within the last one."""
        resolved: Path = ()
        for place, name in enumerate(path):
            resolved += (name,)
            is_last = place == len(path) - 1
            if is_last and is_element:
                self._elements[resolved] = self._elements.get(resolved, -1) + 1
            if resolved in self._elements and (is_element or not is_last):
                resolved += (str(self._elements[resolved]),)
        return resolved

    def _statement(self, start: int) -> int:
        end = self._pair(start, self._table, 0)
        home = self._found[self._table]
        self._found[self._table] = replace(home, adds_at=self._end_of_line(end))
        return end

    def _pair(self, start: int, table: Path, depth: int) -> int:
        key, at = self._key(start)
        if not self.text.startswith("=", at):
            raise _Lost
        at = self._blanks(at + 1)
        for length in range(1, len(key)):
            self._note(table + key[:length], start, start)
        return self._value(at, table + key, depth)

    def _key(self, at: int) -> tuple[Path, int]:
        """A key, its parts, and the first place after it and the blanks that follow."""
        parts: list[str] = []
        while True:
            at = self._blanks(at)
            if found := _BARE_KEY.match(self.text, at):
                parts.append(found[0])
            elif found := _BASIC_TEXT.match(self.text, at) or _LITERAL_TEXT.match(self.text, at):
                parts.append(found[0][1:-1])
            else:
                raise _Lost
            at = self._blanks(found.end())
            if not self.text.startswith(".", at):
                return tuple(parts), at
            if len(parts) > MOST_NESTED:
                raise _Lost
            at += 1

    def _value(self, start: int, path: Path, depth: int) -> int:
        self._reached = start
        if depth > MOST_NESTED or start >= len(self.text):
            raise _Lost
        letter, adds_at = self.text[start], -1
        if letter == "[":
            end = self._list(start, path, depth + 1)
        elif letter == "{":
            end, adds_at = self._inline_table(start, path, depth + 1)
        else:
            end = self._scalar(start)
        self._note(path, start, end, adds_at)
        return end

    def _scalar(self, start: int) -> int:
        kinds = (_LONG_TEXT, _BASIC_TEXT, _LITERAL_TEXT, _PLAIN_VALUE)
        for kind in kinds[:1] if self.text.startswith(('"""', "'''"), start) else kinds[1:]:
            if found := kind.match(self.text, start):
                return found.end()
        raise _Lost

    def _list(self, start: int, path: Path, depth: int) -> int:
        at, index = self._skip(start + 1), 0
        while not self.text.startswith("]", at):
            at = self._skip(self._value(at, (*path, str(index)), depth))
            index += 1
            if self.text.startswith(",", at):
                at = self._skip(at + 1)
            elif not self.text.startswith("]", at):
                raise _Lost
        return at + 1

    def _inline_table(self, start: int, path: Path, depth: int) -> tuple[int, int]:
        at = last = self._skip(start + 1)
        while not self.text.startswith("}", at):
            last = self._pair(at, path, depth)
            at = self._skip(last)
            if self.text.startswith(",", at):
                at = self._skip(at + 1)
            elif not self.text.startswith("}", at):
                raise _Lost
        return at + 1, last

    def _note(self, path: Path, start: int, end: int, adds_at: int = -1) -> None:
        if path not in self._found:
            self._found[path] = Place(self.line_at(start), start, end, adds_at, adds_at >= 0)

    def _blanks(self, at: int) -> int:
        return _end(_BLANKS.match(self.text, at))

    def _skip(self, at: int) -> int:
        return _end(_BLANKS_AND_COMMENTS.match(self.text, at))

    def _end_of_line(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end


def _end(match: re.Match[str] | None) -> int:
    assert match is not None
    return match.end()
