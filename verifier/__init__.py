"""The Z3 side of Conquian: constraints from the same typed rules that give the engine."""
