"""A run in Markdown, in two sizes: report.md whole, and summary.md for whoever has a minute."""
