"""asking.py   choosing what is tried over what, stopping it, and once more the same
showing.py  trials, one trial as it goes on and what came of it, every single difference
places.py   addresses, and who may open them
"""
