"""Everything that reads entries back: consumers with cursors, search and its index, controllers' sequence numbers,
a progress bar.
"""
