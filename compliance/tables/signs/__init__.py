"""Signs at tables: what they state, since when they are up, and what shows that they were. Notices and closures use it.

models.py      Display, Sign, Showing (an unbroken stretch of being up), Refresh (a display said that it shows it)
clock.py       the clock of a sign, worked out from stored instants alone
faces.py       what people read on a sign, three facts at most;  printing.py  the same on paper, A4 and A5
services/      displays.py adds and ends them, showing.py moves signs;  errors.py  what is refused
reported.py    signs that controllers report;  tasks.py  watches displays, too
recorded.py    rows against entries;  ended.py  the same of rows that end once, by an entry of their own
standing.py    who may act, by the rule set's own words;  selectors.py  what others read
offers.py      where apps above say what a table needs now, what can be done there, and what its display shows
views/         the board, one table, the display itself, paper;  demo.py  the demo's displays;  guide.py  the help page

A sign that a person or display confirms is recorded as the entry a controller would have sent: `sign-shown` and
`sign-removed`, without controller and sequence, with `origin` saying how it is known. So there is one judgement of it.
"""
