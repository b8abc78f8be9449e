"""Shows what the rule packs say: packs, house edges, clause coverage, differences, and why a pack is refused."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rounds.engine import EngineError, PackCollection, odds
from rounds.rulebook.cli import check_files, list_packs
from rounds.rulebook.packs import diff, house_edge_rows
from rounds.rulebook.packs.clause_coverage import Binding, BoundClause, coverage_counts, list_bound_clauses
from rounds.rulebook.packs.formatting import exit_quietly_on_closed_pipe, format_columns, to_json_line
from rounds.rulebook.packs.pack_sources import RULES_NAME_SYNTAX, collect_packs, packs_with_slug, parse_rules_name
from rounds.rulepacks.violation_cases import violation_cases

EVERY_READING, DEFAULT_READINGS = "all", "default"


class Command(BaseCommand):
    help = (
        "Show what the rule packs say. Reads pack files only, never the database. "
        "Exit status 0: done. 1: something is refused, unbound or unknown."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="list | edges | clauses | diff | check")
        _add_subcommand(parts, "list", "packs with version, effective instant, digests and readings")
        edges = _add_subcommand(parts, "edges", "the exact house edge of every wager, as fraction and percentage")
        edges.add_argument("--rules", metavar="SLUG", help="one rule set; otherwise all")
        edges.add_argument(
            "--readings",
            choices=(EVERY_READING, DEFAULT_READINGS),
            default=EVERY_READING,
            help="under every combination of readings that moves an edge (this is so if not said), or the default ones",
        )
        clauses = _add_subcommand(
            parts,
            "clauses",
            "how many clauses are bound, checked, proven by a violation that was found, or not automated; "
            "1 if any is unbound, or checked and not proven",
        )
        clauses.add_argument("--rules", metavar="SLUG", help="one rule set; otherwise all")
        comparison = _add_subcommand(
            parts, "diff", "what two packs or readings settle differently; differences are not a failure"
        )
        comparison.add_argument("before", metavar="A", help=RULES_NAME_SYNTAX)
        comparison.add_argument("after", metavar="B", help="the same, such as nsw-sic-bo@1+even=every-even-total")
        check = parts.add_parser("check", help="validate pack files", description="Validate pack files.")
        check.add_argument("--json", action="store_true", help="one JSON object a file")
        check.add_argument("files", metavar="FILE", type=Path, nargs="*", help="pack files; otherwise the shipped ones")

    def handle(self, *args: Any, **options: Any) -> None:
        parts = {
            "list": self._list_packs,
            "edges": self._print_house_edges,
            "clauses": self._print_clauses,
            "diff": self._print_diff,
        }
        with exit_quietly_on_closed_pipe():
            try:
                if options["part"] == "check":
                    self._check_pack_files(options)
                else:
                    parts[options["part"]](collect_packs(options["pack"]), options)
            except EngineError as error:
                raise CommandError(error.message) from error

    def _list_packs(self, collection: PackCollection, options: dict[str, Any]) -> None:
        if options["json"]:
            self._print_json(map(list_packs.pack_as_json, collection))
        else:
            self.stdout.write("\n\n".join(map(list_packs.pack_as_text, collection)))

    def _print_json(self, lines: Iterable[object]) -> None:
        for line in lines:
            self.stdout.write(to_json_line(line))

    def _print_house_edges(self, collection: PackCollection, options: dict[str, Any]) -> None:
        is_every = options["readings"] == EVERY_READING
        packs = packs_with_slug(collection, options["rules"])
        edges = (edge for pack in packs for edge in odds.compute_house_edges(pack) if is_every or not edge.readings)
        if options["json"]:
            self._print_json(map(house_edge_rows.house_edge_as_json, edges))
        else:
            self.stdout.write(
                "\n\n".join(house_edge_rows.edge_tables_as_text(house_edge_rows.group_house_edges(edges)))
            )

    def _print_clauses(self, collection: PackCollection, options: dict[str, Any]) -> None:
        clauses = list_bound_clauses(packs_with_slug(collection, options["rules"]))
        if options["json"]:
            self._print_json(each.as_json() for each in clauses)
        else:
            self._print_coverage(clauses)
        unbound = [each for each in clauses if each.binding is Binding.UNBOUND]
        # A pack file of one's own has no violation cases.
        unproven = [each for each in clauses if each.lacks_proof and violation_cases(each.pack.slug)]
        for problem, found in (("unbound", unbound), ("bound to a check but not proven", unproven)):
            if found:
                names = ", ".join(f"{each.pack.name} {each.clause}" for each in found)
                raise CommandError(f"{len(found)} clauses are {problem}: {names}.")

    def _print_coverage(self, clauses: list[BoundClause]) -> None:
        counts = coverage_counts(clauses)
        if len(counts) > 1:
            counts["all"] = sum(counts.values(), start=Counter())
        columns = ("clauses", "bound", "checked", "proven", "not-automated", "unbound")
        rows = [[name, *(str(count[column]) for column in columns)] for name, count in counts.items()]
        headings = ("rules", *(column.replace("-", " ") for column in columns))
        self.stdout.write(format_columns(headings, rows, figures=frozenset(headings[1:])))

    def _print_diff(self, collection: PackCollection, options: dict[str, Any]) -> None:
        before, after = (parse_rules_name(collection, options[side]) for side in ("before", "after"))
        comparison = diff.compare_rules(before, after)
        if options["json"]:
            self._print_json(diff.comparison_as_json(comparison))
            return
        self.stdout.write(f"before  {before}\nafter   {after}")
        if comparison.is_same:
            self.stdout.write("\nThey settle every wager alike.")
        for pair in comparison.pairs:
            self._print_table_pair(pair)
        if comparison.terms:
            rows = [[term.key, term.before, term.after] for term in comparison.terms]
            self.stdout.write("\nTerms that the truth table does not show:\n\n")
            self.stdout.write(format_columns(("term", "before", "after"), rows))

    def _print_table_pair(self, pair: diff.TablePair) -> None:
        if pair.before is None or pair.after is None:
            self.stdout.write(f"\nPay table {pair.label}: only {'before' if pair.after is None else 'after'}.")
        if pair.cells:
            self.stdout.write(f"\nPay table {pair.label}: {len(pair.cells):,} cells of the truth table differ.\n\n")
            self.stdout.write(
                format_columns(
                    ("bet", "before", "after", "rolls", "which, in any order"),
                    diff.changed_cell_rows(pair),
                    figures=frozenset({"rolls"}),
                )
            )
        if pair.streak_rows:
            self.stdout.write(f"\nPay table {pair.label}: Super Streak differs.\n\n")
            self.stdout.write(
                format_columns(
                    ("", "counts or pays", "rolls", "which, in any order"),
                    diff.changed_streak_rows(pair),
                    figures=frozenset({"rolls"}),
                )
            )

    def _check_pack_files(self, options: dict[str, Any]) -> None:
        checked = check_files.check_files(options["files"] or check_files.shipped_pack_files())
        for one in checked:
            if options["json"]:
                self.stdout.write(to_json_line(one.as_json()))
            elif one.problems:
                self.stdout.write("\n".join((f"{one.file}: REFUSED", *(f"  {problem}" for problem in one.problems))))
            elif one.pack is not None:
                self.stdout.write(f"{one.file}: good ({one.pack.name})")
        refused = sum(1 for one in checked if one.problems)
        if refused:
            raise CommandError(f"{refused} of {len(checked)} packs refused.")


def _add_subcommand(parts: _SubParsersAction[Any], name: str, help_text: str) -> ArgumentParser:
    """Adds a subcommand that works on packs, with the options --json and --pack."""
    part: ArgumentParser = parts.add_parser(
        name, help=help_text, description=help_text[0].upper() + help_text[1:] + "."
    )
    part.add_argument("--json", action="store_true", help="one JSON object a line")
    part.add_argument(
        "--pack",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="a pack file of your own, beside the shipped ones; may be repeated",
    )
    return part
