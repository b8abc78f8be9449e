"""Web pages of reports.

reports.py       request, progress, the report as a page, download
schedules.py     schedules
dashboard.py     dashboard of a casino
certificates.py  public list of signing certificates
forms.py         options of each kind of report;  help_page.py  the help page
"""
