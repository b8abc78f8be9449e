"""Pages of claims: the list, one claim and what is done with it, and the register of denied ones."""
