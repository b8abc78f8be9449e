"""Plans of a drill's controllers: the lines of a gaming day at every table of every rule set, from one seed.

Run with the drill's database: `python -m tests.drills.support.controller_plans FOLDER ROUNDS SEED`.
"""

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

# At most this many days ago: lines may be late, but none is in the future.
DAYS_AGO = 3


class Plan(NamedTuple):
    """Of one table: its controller, key and log; its lines are in a file of their own."""

    casino: str
    table: str
    controller: str
    key_file: str
    verifier: str
    lines: int

    def path(self, folder: Path) -> Path:
        return folder / f"{self.casino}.{self.table}.ndjson"


def read_plans(folder: Path) -> list[Plan]:
    return [Plan(*one) for one in json.loads((folder / "plans.json").read_text())]


def write_plans(folder: Path, *, rounds: int, seed: int) -> None:
    """With planted faults of play, so that there are findings; none of the feed, which the drill itself disturbs."""
    from django.utils import timezone

    from rounds.floor.demo import key_file
    from rounds.floor.models import Table
    from rounds.ledger.signing.checkpoints import verifier_key_for
    from rounds.simulator.delivery.casino_tables import controller_for_table, load_table_config
    from rounds.simulator.delivery.simulation_run import SimulationTotals, play_days
    from rounds.simulator.fault_selection import select_faults

    at = timezone.now() - timedelta(days=DAYS_AGO)
    injectors = [one for one in select_faults("all").at_tables if not one.code.startswith("FEED-")]
    plans = []
    folder.mkdir(parents=True, exist_ok=True)
    for table in Table.objects.in_use(at).select_related("casino").order_by("casino__slug", "slug"):
        set_up, controller, casino = load_table_config(table, at), controller_for_table(table, at), table.casino.slug
        days = play_days(
            set_up,
            first_day=set_up.gaming_day_at(at),
            rounds=rounds,
            seed=seed,
            first=1,
            injectors=injectors,
            tally=SimulationTotals(),
        )
        numbered = [one for played in days for one in played.lines]
        # The spool numbers from 1 without a gap, so the plan must too.
        assert [one.sequence for one in numbered] == list(range(1, len(numbered) + 1))
        lines = [one.line for one in numbered]
        key = str(key_file(casino, controller))
        plan = Plan(casino, table.slug, controller, key, str(verifier_key_for(casino)), len(lines))
        plan.path(folder).write_bytes(b"".join(line + b"\n" for line in lines))
        plans.append(plan)
    (folder / "plans.json").write_text(json.dumps(plans))


if __name__ == "__main__":
    import django

    django.setup()
    write_plans(Path(sys.argv[1]), rounds=int(sys.argv[2]), seed=int(sys.argv[3]))
