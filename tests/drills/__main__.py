"""`make drill` and `make drill-NAME`: runs drills one after the other and prints their verdicts.

A drill is a module here with `drill(seed, minutes) -> Verdict`; it starts the servers it needs and stops them.
"""

import argparse
import importlib
import json
import sys
from pathlib import Path

from tests.drills.verdict import Verdict

# In the order in which they run.
DRILLS = ("crash", "rogue", "intruder", "fuzz", "load", "clock", "operations")
FULL_MINUTES = {
    "crash": 30.0,
    "rogue": 15.0,
    "intruder": 10.0,
    "fuzz": 10.0,
    "load": 8.0,
    "clock": 5.0,
    "operations": 10.0,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.drills", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(DRILLS)}; default: all of them")
    parser.add_argument("--seed", type=int, default=1, help="the same seed tries the same things (default 1)")
    parser.add_argument("--minutes", type=float, help="at most so long for each; default: a full run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the verdicts there as well")
    options = parser.parse_args()
    if unknown := set(options.names) - set(DRILLS):
        parser.error(f"There is no drill called {', '.join(sorted(unknown))}.")
    verdicts = [run(name, options.seed, options.minutes or FULL_MINUTES[name]) for name in options.names or DRILLS]
    if options.json:
        options.json.write_text(json.dumps([verdict.__dict__ for verdict in verdicts], indent=2) + "\n")
    return 0 if all(verdict.is_passed for verdict in verdicts) else 1


def run(name: str, seed: int, minutes: float) -> Verdict:
    verdict: Verdict = importlib.import_module(f"tests.drills.{name}").drill(seed=seed, minutes=minutes)
    print("\n".join(verdict.lines()), flush=True)
    return verdict


if __name__ == "__main__":
    sys.exit(main())
