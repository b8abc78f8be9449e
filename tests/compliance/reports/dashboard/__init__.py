"""Tests of the dashboard's figures, charts and pages."""
