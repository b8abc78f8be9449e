"""Pages of the terms: the list, the wizard, prizes, filing and amending, the registers, and what the public reads."""
