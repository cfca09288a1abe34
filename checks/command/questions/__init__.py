"""Questions about one position or one claim, and which claims there are."""
