"""Pages made of many apps.

models.py     how each table stands: a projection;  standing.py  derived by following the log, and compared with it
live.py       every table as the floor page shows it;  findings.py  open findings of each table
played.py     a round as a person reads it;  telling.py  any entry in the words of a floor
replaying.py  a round one step at a time
tracing.py    everything that mentions a round, for pages and for `manage.py trace`
searching.py  one search over everything a person may open
waiting.py    what waits for a person: one provider a subject
views/        home, search, floor, table and its timeline, round, replay;  guide.py  the help page
"""
