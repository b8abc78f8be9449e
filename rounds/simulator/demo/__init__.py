"""The demo's play.

demo_history.py  past gaming days, played at the first start
live_floor.py    a live floor that plays by the clock
"""
