"""Disputes on paper.

sheets.py  the look of a sheet: type, tables, header and footer
file.py    the whole file of a dispute, in order, with the settlement worked out again and the proof of its round
letter.py  the inspector's letter to the patron
"""
