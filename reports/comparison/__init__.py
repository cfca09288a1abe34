"""Two runs compared by their report.json: what the newer says of each claim that the older did not."""
