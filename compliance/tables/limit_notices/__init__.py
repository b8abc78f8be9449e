"""Changes of a table's limits: announced, shown, in force; limits for one player; warnings under the minimum.

models.py      LimitNotice and the steps that end it, PlayerLimit, UnderMinimumWarning;  kinds.py  their entries
states.py      what becomes of a notice, as a table;  recorded.py  rows against entries
planning.py    what a change needs under the table's rules: a sign, how long, by whom, the earliest possible instant
services/      notices.py schedules, withdraws and moves notices; players.py limits and warnings of one player
selectors.py   what others read;  needs.py  what a table needs now;  tasks.py  moves notices on;  errors.py  refusals
forms.py, views/, demo.py
"""
