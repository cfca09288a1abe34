"""What a ruleset says beside its moves: players, parameters and ends; the parts of a heap; what a move picks."""
