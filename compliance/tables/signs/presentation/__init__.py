"""How signs are presented.

text.py         facts and times on a sign
pdf.py          printed signs
table_hooks.py  registry by which other apps add to-do items, display facts and actions to a table's page
"""
