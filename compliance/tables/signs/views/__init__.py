"""Pages of signs.

board.py    all signs and displays of a casino
table.py    one table
display.py  the sign itself, on a display
actions.py  confirm, take down, print, add or end a display
common.py   the status of a sign in words
"""
