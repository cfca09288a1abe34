"""What every format says alike: the words, a run put in order, and report.json, the model of the rest."""
