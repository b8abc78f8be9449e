"""Help pages for operators (capacity, backup, runbook, threat model, drills) and for contributors."""

import json
from collections.abc import Mapping
from typing import Any

from compliance.config.environment import PROJECT, VARIABLES
from compliance.config.help import capacity
from compliance.config.help.runbook import CHECKS, DUTIES, LOG_EVENTS
from compliance.core.web.help_pages import HelpPage

OPERATORS = "Those who run the service"
CONTRIBUTORS = "Contributors"
# Written by `python -m tests.drills --json FILE`: the last full run of each drill.
LAST_RUNS = PROJECT / "templates" / "docs" / "drills.json"
# In the order in which they run.
DRILLS = ("crash", "rogue", "intruder", "fuzz", "load", "clock", "operations")


def variable_facts() -> Mapping[str, Any]:
    return {"variables": list(VARIABLES.values())}


def drill_facts() -> Mapping[str, Any]:
    """The sections of the page, one a drill, each with its last full run."""
    last_runs = json.loads(LAST_RUNS.read_text())
    return {
        "sections": [{"name": name, "page": f"docs/drills/{name}.html", "last": last_runs.get(name)} for name in DRILLS]
    }


def runbook_facts() -> Mapping[str, Any]:
    groups = (
        ("checks", "Parts on the status page and in /readyz", "Part", CHECKS),
        ("duties", "Alerts", "Duty", DUTIES),
        ("logged", "Errors in the log", "Event", LOG_EVENTS),
    )
    return {"groups": groups}


PAGES = (
    capacity.PAGE,
    HelpPage("backup", "Backup and restore", "What to back up, how to come back, changing secrets.", OPERATORS, 91),
    HelpPage(
        "runbook", "When an alarm rings", "Every alarm, what it means, what to do.", OPERATORS, 92, facts=runbook_facts
    ),
    HelpPage("threat-model", "Who might attack", "What stops them, what finds them, what remains.", OPERATORS, 93),
    HelpPage(
        "configuration",
        "Configuration",
        "Every environment variable, its default and purpose.",
        OPERATORS,
        95,
        facts=variable_facts,
    ),
    HelpPage(
        "drills",
        "Drills",
        "How we try to lose a round, fake a record or get in, and what came of it.",
        OPERATORS,
        97,
        facts=drill_facts,
    ),
    HelpPage(
        "development",
        "Developer guide",
        "Layers, conventions, tests and migrations; step by step: a rule pack, a page, a report, a command.",
        CONTRIBUTORS,
        98,
    ),
)
