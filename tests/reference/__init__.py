"""A second referee, written from the rules alone, slow and plain: the witness against the engine.

It shares no code with the package it tests.
"""
