"""A run as continuous integration reads it: JUnit XML, SARIF, and annotations of GitHub."""
