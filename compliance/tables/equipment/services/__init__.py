"""Services of equipment.

floor_records.py  manual lines, return to play, void rounds
stake_returns.py  stakes handed back for voided wagers
"""
