"""Audit data sets: checks, distributions and reports."""
