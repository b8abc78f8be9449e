"""Subscriptions to saved views: finding rows that are new, and the e-mails about them."""
