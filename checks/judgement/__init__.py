"""The verdict on a claim from the answers of the routes, and the reasons why a claim or its proof fails."""
