"""From the answers of the routes to a verdict, and why a claim or a proof fails."""
