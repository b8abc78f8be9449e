"""Pages of intake: quarantine.py, what controllers sent that could not be taken."""
