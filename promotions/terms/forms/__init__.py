"""Forms of the terms: the steps of the wizard, prizes, filing and other actions, and the filter of the list."""
