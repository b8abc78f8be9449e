"""Tests of scheduled reports and their e-mails."""
