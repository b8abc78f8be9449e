"""Evidence out of the database: a range or a selection of entries written as a folder (bundle) that proves itself
offline.
"""
