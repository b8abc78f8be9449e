"""Figures of a casino and a period: play, return to player, findings, duties kept and missed.

figures.py           the figures, with a fixed number of queries
play_by_day.py       play by gaming day and table, cached by day
return_to_player.py  returned amounts against their expectation, with bounds
panels.py            each part of the page as a section and a chart; the period review uses the same

Play comes from the audit's totals (compliance.audit.totals.play_totals), so it is known as far as the log is audited.
"""
