"""Views of lists kept under a name, and messages about what is new in them.

models.py       a view, who wants to be told of it, what was told
audiences.py    with whom a view can be shared
selectors.py    whose views one may open; each is reached through access_view
opening.py      a list as a certain person would see it: whether it opens, and which rows it has
shelf.py        what the filter of a list shows of them
services.py     keep, change, remove a view; be told of it, or no longer
news.py         what is new in a view, once
letters.py      the e-mails, and the link in them by which they stop
"""
