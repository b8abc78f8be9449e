"""The pages about tokens: which systems read at a casino, a new token, revoking one."""
