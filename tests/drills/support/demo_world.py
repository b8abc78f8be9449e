"""Initial state of a drill: the demo's five casinos, one a rule set, with people, rules, tables and controller keys.

Run with the drill's database: `python -m tests.drills.support.demo_world`. No round is played yet.
"""

from datetime import timedelta
from pathlib import Path

BEGAN = timedelta(days=60)


def make_demo_world() -> None:
    from django.conf import settings
    from django.core.management import call_command
    from django.utils import timezone

    from compliance.config.management.commands.prepare import collect_static_files
    from compliance.core.accounts.demo import make_demo_people
    from compliance.core.web.pdf.signer import make_report_key
    from rounds.floor.demo import make_demo_floors
    from rounds.ledger.signing.checkpoints import create_key_file
    from rounds.ledger.writing.append import open_log
    from rounds.rulebook.versions.demo import make_demo_rules

    call_command("migrate", verbosity=0, interactive=False)
    collect_static_files(Path(settings.STATIC_ROOT))
    now = timezone.now()
    open_log("site", now)
    create_key_file(settings.LEDGER_KEY_FILE)
    make_report_key(settings.REPORT_KEY_FILE, now)
    make_demo_people(now=now - BEGAN)
    make_demo_rules(began_at=now - BEGAN)
    make_demo_floors(now=now)


if __name__ == "__main__":
    import django

    django.setup()
    make_demo_world()
