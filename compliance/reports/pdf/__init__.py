"""A Document as PDF.

render.py  pages
grid.py    tables that break over pages
attach.py  attached files
"""
