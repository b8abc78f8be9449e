"""Pages of the floor.

table_list.py    list of tables; add and retire
table_facts.py   one table at any instant; history of a fact
casino_facts.py  facts of the casino itself
fact_edit.py     record a fact, retract one;  fact_forms.py  the form of each fact
limits_by_wager.py  fields for limits by type of wager, for each form of limits
terminals.py     terminals of an electronic table
controllers.py   controllers, their tables and keys
forms.py         the other forms
common.py        shared by these pages: permission decorators, links to entries, columns of a fact table
"""
