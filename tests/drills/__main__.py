"""`make drill` and `make drill-NAME`: runs drills one after the other and prints their verdicts.

A drill is a module here with `drill(seed, minutes) -> Verdict`; it starts the servers it needs and stops them.
"""

import argparse
import importlib
import json
import signal
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

from tests.drills.support.verdict import Verdict

# In the order in which they run.
DRILLS = ("crash", "rogue", "intruder", "fuzz", "load", "clock", "operations")
FULL_MINUTES = {
    "crash": 30.0,
    "rogue": 30.0,
    "intruder": 10.0,
    "fuzz": 25.0,
    "load": 8.0,
    "clock": 5.0,
    "operations": 20.0,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.drills", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(DRILLS)}; default: all of them")
    parser.add_argument("--seed", type=int, default=1, help="the same seed tries the same things (default 1)")
    parser.add_argument("--minutes", type=float, help="at most so long for each; default: a full run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the verdicts there as well")
    options = parser.parse_args()
    if unknown := set(options.names) - set(DRILLS):
        parser.error(f"There is no drill called {', '.join(sorted(unknown))}.")
    # A shell starts background jobs with SIGINT ignored, and child processes would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    verdicts = []
    for name in options.names or DRILLS:
        verdicts.append(run_drill(name, options.seed, options.minutes or FULL_MINUTES[name]))
        if options.json:
            save_verdict(options.json, verdicts[-1])
    return 0 if all(verdict.is_passed for verdict in verdicts) else 1


def run_drill(name: str, seed: int, minutes: float) -> Verdict:
    began = time.monotonic()
    verdict: Verdict = importlib.import_module(f"tests.drills.{name}").drill(seed=seed, minutes=minutes)
    verdict = replace(verdict, minutes=round((time.monotonic() - began) / 60, 1))
    print("\n".join(verdict.lines()), flush=True)
    return verdict


def save_verdict(path: Path, verdict: Verdict) -> None:
    """Replaces this drill's last verdict in the file and keeps those of the others."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps(kept | {verdict.drill: asdict(verdict)}, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
