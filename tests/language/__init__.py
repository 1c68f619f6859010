"""Tests of the rule language: problems, layout, pages, documentation."""
