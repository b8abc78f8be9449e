"""Pages of alerts.

inbox.py     the list, one alert with its steps, acknowledging, the block that other pages show
ladders.py   showing and setting the escalation ladder
forms.py     filter of the inbox, form of the ladder
"""
