"""Pages of alerts.

inbox.py    the list, one alert with its steps, acknowledging, the block that other pages show
ladders.py  who is told next, and setting it
"""
