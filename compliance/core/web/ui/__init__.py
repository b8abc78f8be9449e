"""What pages are built from.

components.py        table, filter panel, timeline, task list, summary list, confirmation, chart
forms.py             form renderer, error texts, filters, fields for money and local times
confirm_page.py      page that asks before an action is carried out
precheck.py          shows what the audit would find before an act is recorded, and asks for a reason
links.py             URLs of a casino's pages by name
navigation.py        registry of menu items, filtered by access rule
banners.py           registry of banners at the top of every page
charts.py            charts as ReportLab drawings, for SVG and PDF
cell_values.py       values of table cells, for files and pages
table_export.py      any list as CSV or NDJSON
list_response.py     the response of a page with lists: the page, or a file
saved_view_slot.py   the place in the filter panel for saved views
outcome_messages.py  the message storage: no green message after a confirmed warning
record_notes.py      findings and later decisions about the records of a page or list
"""
