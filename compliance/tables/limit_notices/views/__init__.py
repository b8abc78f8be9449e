"""Pages of limits.

notices.py  changes of a table's limits
players.py  limits and warnings of one player
common.py   permissions and texts that both use
"""
