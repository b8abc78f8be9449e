from datetime import UTC, datetime
import hashlib, time
import pytest
from django.db import connection
from rounds.ledger.appending import open_log
from rounds.ledger.guards import check_guards, guard_faults, TRIGGERS
@pytest.mark.django_db(transaction=True)
def test_x():
    with connection.cursor() as c:
        c.execute("select proname, prosrc from pg_proc where proname like 'ledger%'")
        for n, s in c.fetchall(): print(n, hashlib.sha256(s.encode()).hexdigest())
    for i in range(10): open_log(f"l{i}", datetime.now(UTC))
    t=time.perf_counter(); f=guard_faults(); print(f[:5], time.perf_counter()-t)
    t=time.perf_counter()
    try: check_guards()
    except Exception as e: print(e.faults[-5:])
    print(time.perf_counter()-t)
