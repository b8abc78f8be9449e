"""Faults planted in an honest timeline. Each injector makes one change and records it in the truth file.

injector.py         registry of injectors
timeline_editor.py  finds a place in the timeline and changes it there
catalogue.py        all injectors in a fixed order; plants the chosen codes in a table's day
settlement.py wagers.py limits.py streaks.py procedure.py signs.py chips.py equipment.py feed.py
contradictions.py   the injectors

No injector asks the engine what is due: a planted amount is known because the injector chose it.
The docstring of an injector is its description on the help page.
"""
