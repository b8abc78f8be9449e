"""Roles that may propose and approve rule versions, and use the calculator."""

from __future__ import annotations

from compliance.core.accounts.roles import GOVERNMENT_ROLES, MAY_SEE_PATRONS, Role

MAY_PROPOSE = GOVERNMENT_ROLES | {Role.COMPLIANCE_OFFICER}
MAY_APPROVE = GOVERNMENT_ROLES
# Marketing and administrators settle no wagers.
CALCULATOR_ROLES = MAY_SEE_PATRONS - {Role.MARKETING}
