"""A casino and a period in figures: what was played, what came back, what was found, which duties were kept.

figures.py  the figures, each read once: a fixed number of queries, whatever was played
play.py     what was played, by gaming day and table: a day is summed once
returns.py  what was handed back against what the odds give on average, with its bounds
panels.py   each part of the page as a section and a drawing: the period review takes both as they are

What was played comes from the audit's totals (compliance.audit.totals.play_totals): known as far as the log is audited.
"""
