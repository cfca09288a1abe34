"""Reports of a run: report.json, report.md and index.html, each a pure function of a `RunResult`."""
