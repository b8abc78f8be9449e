"""Shared by the drills.

full_length.py         runs tests at full length with their own servers, as a drill
verdict.py             the result of a drill
supervised_service.py  the whole service, with a supervisor that restarts each process
demo_world.py          the demo's casinos, as the initial state
controller_plans.py    the lines that controllers will send;  controllers.py  the controllers
load_clients.py        more controllers and signed-in people, for the load drill
outcome_checks.py      what must hold after the crash drill
working_day.py         Harbour after a day's work, for tampering
superuser_edits.py     edits by a superuser with triggers off;  tampering_cases.py  single cases
marked_texts.py        every text column with a harmful mark, for the intruder drill
generated_rows.py      a row for each empty table;  extra_rows.py  copies of rows in other states
mutated_bytes.py       random and damaged input
"""
