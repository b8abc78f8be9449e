import os, traceback, random
import pytest
from django.db import transaction
from hypothesis import given, settings, HealthCheck, Phase, strategies as st
from rounds.floor.fact_values import LimitsValue
from tests.agreement.acts import EveryAct
from tests.agreement.machine import Scene
from tests.agreement.tally import Tally
from tests.compliance.audit.house import House
from tests.compliance.disputes.disputed_round import Floor, floor
from tests.agreement.test_agreement import RULE_SETS
__all__=["floor"]
seen=set()
OUT=os.environ.get("OUT","/tmp/i26-agree/dev.out")
@pytest.mark.parametrize("rules", RULE_SETS)
def test_dev(rules, floor):
    out=open(OUT,"a")
    house = House(floor.crew)
    table = house.open_table(rules=rules, limits=LimitsValue(min=500, max=50_000))
    house.audit()
    class Acts(EveryAct):
        scene = Scene(floor, table, rules, Tally())
    only=os.environ.get("ONLY","").split(",") if os.environ.get("ONLY") else None
    @settings(max_examples=int(os.environ.get("EX","4")), deadline=None, database=None, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
    @given(st.data())
    def go(data):
        m=Acts()
        rs=sorted(m.rules, key=lambda r:r.function.__name__)
        try:
            for _ in range(int(os.environ.get("ST","25"))):
                ok=[r for r in rs if all(p(m) for p in r.preconditions)]
                if only: ok=[r for r in ok if r.function.__name__ in only or random.random()<0.15]
                r=random.choice(ok)
                args={k:data.draw(v) for k,v in r.arguments.items()}
                n=len(m.tally.disagreements)
                try:
                    r.function(m, **args)
                except Exception as e:
                    t=traceback.format_exc()
                    key=(r.function.__name__, type(e).__name__, str(e)[:60])
                    if key not in seen:
                        seen.add(key); print("ERROR", rules, r.function.__name__, t[-1500:], file=out, flush=True)
                    if 'transaction' in str(e): break
                for d in m.tally.disagreements[n:]:
                    h=d.split("\n")
                    key=tuple(x[:60] for x in h if x.startswith("    ") and not x.startswith("        ")) or h[0][:80]
                    key=(h[0][:60], tuple(sorted({x.split("'")[1] for x in h[1:] if x.startswith("    ") and not x.startswith("     ") and "'" in x})))
                    if key not in seen:
                        seen.add(key); print("DIS", rules, d, file=out, flush=True)
        finally:
            m.teardown()
    go()
    print(rules, Acts.scene.tally.report(), file=out, flush=True)
