"""The UI kit that every app's pages are made of. It knows no other app.

access.py      who may open a view: a rule on every view, none means closed
errors.py      one error type, one page for people, one envelope for the API;  shedding.py  too much at once
throttle.py    how often one address or token may ask in a minute
forms.py       forms renderer, field kinds, filters;  moments.py  local times and the nights on which clocks change
components.py  table, paging, filter panel, timeline, task list;  templatetags/kit.py  the same in templates
exporting.py   any list as CSV or NDJSON
context.py     what every page gets;  navigation.py  the menu, shown by access rule;  session.py  staying signed in
charts.py      ReportLab drawings as SVG;  paper.py  words of people in PDFs, whatever their script
signing.py     signs every PDF that is handed out;  verify_signature.py  what it writes, and the check of it
bell.py        ring a Celery task by name after commit
health.py      /healthz, /readyz, /status/ and the checks behind them;  tasks.py  the pulse of worker and beat
help.py        help pages from templates/docs/
letters.py     an e-mail from its template;  mailbox.py  the demo's mailbox: what would have been e-mailed
"""
