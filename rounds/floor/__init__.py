"""The casino floor as dated facts: tables, terminals, the controllers that speak for them, and what held when.

models/         Table, Terminal, Controller, ControllerTable, ControllerKey, Fact, TakenBack; nothing is rewritten
values.py       what each fact says, strictly;  facts.py  the catalogue of all facts;  wording.py  facts in plain words
kinds.py        the entries that the floor writes;  recording.py  what its services share
services/       every act on the floor;  standing.py  which roles may do it;  errors.py  what is refused
breaches.py     what a planned fact would break, from pack data, with the clause
reported.py     facts that tables report, read out of the log by tasks.py;  completed.py  acts on rows, read again
selectors.py    what others read: facts_at, version_for; active_key for intake
gaming_days.py  gaming days, shifts and holidays by the casino's own clock
keys.py         public keys as people paste them
fact_forms.py   the form of each fact;  forms.py  the other forms;  views/  the pages;  guide.py  the help page
demo.py         the demo's floors
"""
