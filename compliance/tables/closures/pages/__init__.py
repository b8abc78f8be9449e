"""Pages for closing and reopening a table: views.py and their forms.py."""
