"""asking.py   choosing what is tried over what, and stopping it
showing.py  trials, one trial as it goes on and what came of it, every single difference
places.py   addresses, and who may open them
"""
