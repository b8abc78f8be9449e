"""What the commands `settle` and `rulebook` run. No Django.

settle_lines.py   settles JSON lines from a pipe (`settle`)
check_files.py    validates pack files (`rulebook check`)
list_packs.py     packs as text and JSON (`rulebook list`)
"""
