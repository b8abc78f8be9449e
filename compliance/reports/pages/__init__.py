"""Web pages: reports, schedules, dashboard, certificates, with their forms and help page."""
