"""The casino floor as dated facts: tables, terminals, the controllers that speak for them, and what held when.

models.py     Table, Terminal, Controller, ControllerTable, ControllerKey; nothing is deleted or rewritten
kinds.py      the entries that the floor writes;  recording.py  a row and its entry, together
services/     every act on the floor;  standing.py  which roles may do it
selectors.py  what others read: active_key and tables_of for intake
keys.py       public keys as people paste them
"""
