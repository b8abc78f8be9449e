"""E-mail: rendering from templates, and the demo's mailbox in place of a mail server."""
