"""What the numbers in docs/decisions rest on, so that they can be measured again. See benchmarks/README.md."""
