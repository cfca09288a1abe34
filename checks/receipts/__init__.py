"""What a run leaves for others to check: receipts, certificates, and the checker that needs Python alone."""
