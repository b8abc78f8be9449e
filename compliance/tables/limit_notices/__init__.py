"""Announced changes of a table's limits, limits for one player, and warnings about wagers under the minimum.

models.py        LimitNotice, NoticeStep, PlayerLimit, UnderMinimumWarning;  states.py  the state machine of a notice
change_rules.py  what a change needs under the table's rules: sign, notice time, role, earliest time
services/        notices.py, transitions.py, players.py;  tasks.py  advances notices over time
selectors.py     queries;  todo_items.py  to-do items for the pages of tables
forms.py, views/ pages
verify.py        compares rows with their entries;  entry_kinds.py  the entries;  errors.py  refusals
urls.py, apps.py, demo.py
"""
