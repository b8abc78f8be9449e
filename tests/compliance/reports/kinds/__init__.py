"""Tests of single kinds of report."""
