"""The command line: its commands, their options, and their output."""
