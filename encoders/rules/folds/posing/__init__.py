"""What the rule of folds has to show, as sequents."""
