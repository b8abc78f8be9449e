"""Log entries as text for people.

earlier_rounds.py  rounds played before another one
entry_text.py    title and details of any entry
event_labels.py  labels of a round's events
replay_steps.py  a round as a list of steps
round_trace.py   every entry about a round, corrections included
"""
