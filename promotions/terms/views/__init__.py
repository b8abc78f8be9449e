"""Pages of the terms.

promotions.py     list and detail of promotions
wizard.py         drafting, one item a page;  prizes.py  the prizes of a draft
filing.py         filing, amending, one version, the Authority's decision
postponements.py  postponing and validating
registers.py      marketing material, prescribed prizes
public.py         published terms, without signing in
common.py         permissions and tags that they share
"""
