"""Spec mutation: every clause of every rule file changed in small ways, to show that some golden case notices."""
