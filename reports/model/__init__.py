"""The report model: report.json and the words that every report uses."""
