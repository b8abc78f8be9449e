"""Rule pack editor in the browser, a step of a proposal.

services.py          begin, autosave, restore and apply an edit
analysis.py          everything shown next to the text: problems, changes, house edges, golden cases
worker_process.py    runs the analysis in a subprocess with time and memory limits;  __main__.py  that subprocess
toml_positions.py    position of each key in the text: line for messages, offsets for rewriting one value
text_problems.py     problems of the text, each with its line, in plain language
partial_parse.py     parses as much of a pack as possible while it is incomplete
single_values.py     changes single values from form fields and leaves the rest of the text as it is
starting_points.py   what an edit can begin from
forms.py, preview_tables.py, views.py   the pages
"""
