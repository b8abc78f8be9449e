"""Faults planted in an honest timeline. An injector changes what it says it changes, and writes the truth about it.

injector.py   how an injector is registered, and NoRoom;  scene.py  the honest timeline it works on
settling.py wagering.py limits.py streaks.py conduct.py signs.py chips.py equipment.py feed.py   the injectors
catalogue.py  every one of them by code, planted in a table's day

No injector asks the engine what is due: what it plants is known because it did it.
"""
