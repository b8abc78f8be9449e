"""What signs display: text.py their facts and times, pdf.py printed signs, table_hooks.py the registry by which
other apps add to-do items, display facts and actions to a table's page.
"""
