"""What can be said of a file without settling anything: `checks check`."""
