"""Template tags and filters of the UI kit: ui.py."""
