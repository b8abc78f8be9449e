"""Joins several modules into one Python file: the programs that people take away to verify evidence themselves.

The modules import only each other and the standard library. Definitions keep their source text, comments included, so
that an inspector can read them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import ModuleType

SHEBANG = "#!/usr/bin/env python3"
SECTION_LINE = "# " + "-" * 64
MAIN_GUARD = "__name__ == '__main__'"
FUTURE_MODULE = "__future__"
Import = ast.Import | ast.ImportFrom
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


class CannotJoinModules(Exception):
    """The modules cannot be joined into a program that runs by itself. The text says why."""


class SingleFileProgram:
    """A program in one file. The last module has the command line; each module comes after those it imports."""

    def __init__(self, *modules: ModuleType) -> None:
        self.paths = {module.__name__: Path(str(module.__file__)) for module in modules}

    @property
    def file_name(self) -> str:
        return list(self.paths.values())[-1].name

    @cached_property
    def content(self) -> bytes:
        return join_modules({name: path.read_text("utf-8") for name, path in self.paths.items()}).encode()

    @cached_property
    def sha256(self) -> str:
        return sha256(self.content).hexdigest()


def join_modules(sources: Mapping[str, str]) -> str:
    """Join the sources, given by module name, into one program:
    one docstring, one block of imports, one command line.
    """
    *others, last = (_SourceModule(name, text) for name, text in sources.items())
    if not last.module_docstring or not last.guards:
        raise CannotJoinModules(f"{last.name} does not say how to run it, or has no command line.")
    for part in others:
        part.drop_command_line()
    names = _Namespace()
    for part in (*others, last):
        names.add_module(part)
    parts = [f"{SECTION_LINE}\n{_as_comment(part.module_docstring)}\n\n{part.remaining_source}" for part in others]
    head = f"{SHEBANG}\n{last.docstring_source}\n\n{names.import_block()}"
    program = "\n\n\n".join([head, *parts, f"{SECTION_LINE}\n\n{last.remaining_source}"]) + "\n"
    ast.parse(program)
    return program


class _SourceModule:
    """One module split into docstring, imports, definitions and command line."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.tree = name, ast.parse(text, name)
        self.module_docstring = ast.get_docstring(self.tree) or ""
        self._lines = text.splitlines(keepends=True)
        first, *rest = self.tree.body
        body = rest if self.module_docstring else [first, *rest]
        self.imports = [node for node in body if isinstance(node, Import)]
        self.guards = [node for node in body if isinstance(node, ast.If) and ast.unparse(node.test) == MAIN_GUARD]
        self.definitions = [node for node in body if isinstance(node, Definition)]
        self._dropped: list[ast.stmt] = [*([first] if self.module_docstring else []), *self.imports]
        for node in body:
            if node not in self.imports and node not in self.guards and node not in self.definitions:
                raise CannotJoinModules(
                    f"{name} does something in line {node.lineno}: a part defines, and does nothing."
                )

    def drop_command_line(self) -> None:
        """Remove the module's command line; the joined program has its own."""
        mains = [one for one in self.definitions if isinstance(one, ast.FunctionDef) and one.name == "main"]
        self.definitions = [one for one in self.definitions if one not in mains]
        self._dropped += [*mains, *self.guards]

    @property
    def docstring_source(self) -> str:
        """The docstring's source text."""
        return "".join(self._lines[: self.tree.body[0].end_lineno]).strip("\n")

    @property
    def remaining_source(self) -> str:
        """The remaining source text."""
        gone = {line for node in self._dropped for line in _line_numbers(node)}
        return "".join(line for number, line in enumerate(self._lines, 1) if number not in gone).strip("\n")


class _Namespace:
    """Every name defined so far and the module it comes from. Two different definitions of one name are an error."""

    def __init__(self) -> None:
        self._defined_in: dict[str, str] = {}
        self._parts: set[str] = set()
        self._packages: set[str] = set()
        self._modules: set[str] = set()
        self._members: dict[str, set[str]] = {}

    def add_module(self, part: _SourceModule) -> None:
        for node in ast.walk(part.tree):
            if isinstance(node, Import):
                self._add_import(part, node)
        for definition in part.definitions:
            for name in _defined_names(definition):
                self._define_name(name, part.name)
        self._parts.add(part.name)
        self._packages |= {part.name.rpartition(".")[0]} - {""}

    def _add_import(self, part: _SourceModule, node: Import) -> None:
        module = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        is_at_the_top = node in part.imports
        for alias in node.names:
            if is_at_the_top and (module in self._parts or module in self._packages):
                self._check_local_import(part, module, alias)
                continue
            source = module or alias.name
            if source.partition(".")[0] not in sys.stdlib_module_names:
                raise CannotJoinModules(
                    f"{part.name} imports {source} in line {node.lineno}: neither of the standard library, nor a part "
                    "that stands before it."
                )
            if is_at_the_top:
                self._add_stdlib_import(module, alias)

    def _check_local_import(self, part: _SourceModule, module: str, alias: ast.alias) -> None:
        source = self._defined_in.get(alias.name, "")
        if alias.asname or module not in (source, source.rpartition(".")[0]):
            raise CannotJoinModules(
                f"{part.name} imports {ast.unparse(alias)} of {module}: it defines nothing so called."
            )

    def _add_stdlib_import(self, module: str, alias: ast.alias) -> None:
        if module:
            self._members.setdefault(module, set()).add(ast.unparse(alias))
        else:
            self._modules.add(ast.unparse(alias))
        self._define_name(
            alias.asname or alias.name.partition(".")[0], f"{module}.{alias.name}" if module else alias.name
        )

    def _define_name(self, name: str, source: str) -> None:
        before = self._defined_in.setdefault(name, source)
        if before != source:
            raise CannotJoinModules(f"{name} is from {before} and from {source}: one would hide the other.")

    def import_block(self) -> str:
        members = {module: ", ".join(sorted(names)) for module, names in sorted(self._members.items())}
        future = members.pop(FUTURE_MODULE, "annotations")
        lines = [f"import {module}" for module in sorted(self._modules)]
        lines += [f"from {module} import {names}" for module, names in members.items()]
        return "\n".join([f"from {FUTURE_MODULE} import {future}", "", *lines])


def _defined_names(node: Definition) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]


def _line_numbers(node: ast.stmt) -> range:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    return range(first, (node.end_lineno or node.lineno) + 1)


def _as_comment(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines())
