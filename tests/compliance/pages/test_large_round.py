"""A round with ten thousand wagers, as an online operator has, through intake, the audit and the round's page."""

import msgspec

from compliance.audit.models import Coverage, Finding
from compliance.audit.run.worker import audit_log
from rounds.floor.fact_values import LimitsValue, TableRulesValue
from rounds.intake.protocol.envelope import encode_line, parse_line
from tests.bench.support.controllers import Controller, overpay_first
from tests.compliance.audit.round_builders import NSW
from tests.compliance.core.accounts.people import browser_of
from tests.rounds.floor.crew import SECRET, Crew, adopt_rules, new_table, record_table_fact, speaking_controller
from tests.rounds.intake.controller_client import Feeder

WAGERS = 10_000


def test_ten_thousand_wagers_are_taken_judged_and_shown(crew: Crew) -> None:
    adopt_rules(crew, NSW)
    table = new_table(crew)
    for fact in (TableRulesValue(rules=NSW), LimitsValue(min=500, max=50_000)):
        record_table_fact(crew, table, fact)
    speaking_controller(crew, table)
    honest, wrong = Controller("sb-1", "box-1", SECRET, WAGERS).next_lines(2)
    read = parse_line(wrong)
    body = msgspec.structs.replace(read.body, wagers=overpay_first(read.body.wagers))
    wrong = encode_line(kind="round", table="sb-1", sequence=2, at=read.at, body=body)
    answer = Feeder().send(honest, wrong)
    assert answer.status_code == 200, answer.content[:500]
    index = answer.json()["receipts"][0]["index"]

    list(audit_log(crew.harbour))
    assert sum(Coverage.objects.values_list("wagers", flat=True)) == 2 * WAGERS
    finding = Finding.objects.get(code__startswith="SETTLE")
    assert (finding.subject_index, finding.wager) == (index + 1, "w1")

    page = browser_of(crew.cast.ines).get(f"/casinos/harbour/rounds/{index}/?wagers-page=20")
    assert page.status_code == 200
    assert "10,000 wagers" in page.content.decode()
    assert "w10000" in page.content.decode()
