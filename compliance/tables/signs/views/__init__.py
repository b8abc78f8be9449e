"""The pages of signs: board.py all of them, table.py one table, display.py the sign itself, acts.py what is done."""
