"""Arguments for the floor's URLs at a casino, for the permission matrix."""

from compliance.core.accounts.models import Casino, User
from rounds.floor.fact_values import LimitsValue
from rounds.floor.services import add_table, add_terminal, assign_table, propose_key, record_fact, register_controller
from tests.rounds.floor.crew import OPENING, PUBLIC_KEY


def floor_url_arguments(casino: Casino) -> dict[str, dict[str, object]]:
    supervisor, officer = (User.objects.get(email=f"{who}@example.com") for who in ("csup", "compl"))
    table = add_table(casino=casino, slug="sb-1", name="Sic Bo 1", actor=supervisor, now=OPENING)
    terminal = add_terminal(table=table, slug="t-01", actor=supervisor, now=OPENING)
    fact = record_fact(
        casino=casino,
        table=table,
        value=LimitsValue(min=500, max=50_000),
        effective_at=OPENING,
        actor=supervisor,
        now=OPENING,
    )
    box = register_controller(casino=casino, slug="box-1", name="Box", actor=officer, now=OPENING)
    given = assign_table(controller=box, table=table, actor=officer, now=OPENING)
    key = propose_key(controller=box, public_key=PUBLIC_KEY, actor=officer, now=OPENING)
    at_casino: dict[str, object] = {"casino": casino.slug}
    at_table = {**at_casino, "table": table.slug}
    at_terminal = {**at_table, "terminal": terminal.slug}
    at_box = {**at_casino, "controller": box.slug}
    by_key = {**at_box, "key": key.key_id}
    named = {
        "tables": at_casino,
        "add-table": at_casino,
        "casino": at_casino,
        "controllers": at_casino,
        "register-controller": at_casino,
        "set-casino-fact": {**at_casino, "fact": "currency"},
        "casino-history": {**at_casino, "fact": "currency"},
        "take-back": {**at_casino, "fact": fact.pk},
        "table": at_table,
        "retire-table": at_table,
        "terminals": at_table,
        "add-terminal": at_table,
        "set-fact": {**at_table, "fact": "limits"},
        "history": {**at_table, "fact": "limits"},
        "retire-terminal": at_terminal,
        "set-terminal-fact": {**at_terminal, "fact": "layout"},
        "controller": at_box,
        "give-table": at_box,
        "end-table": {**at_box, "given": given.pk},
        "propose-key": at_box,
        "approve-key": by_key,
        "revoke-key": by_key,
    }
    return {f"floor:{name}": place for name, place in named.items()}
