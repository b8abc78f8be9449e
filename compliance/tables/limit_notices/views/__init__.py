"""The pages of limits: notices.py changes of a table's limits, players.py what concerns one player."""
