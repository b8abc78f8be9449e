"""Faults in what people record: disputes, promotions, the log itself. Each is done through the service its people use.

records.py     the house after its day: its people, rounds to dispute, the truth;  how an injector is registered
disputes.py promotions.py log.py   the injectors
planting.py    chosen codes planted at a casino, once each

What is planted is known because it was done: nothing here asks the audit, nor what a wager was due.
"""
