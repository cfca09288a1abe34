"""The proof rule "grundy", for a formula that gives the Grundy value of each single heap."""
