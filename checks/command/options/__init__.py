"""What commands share of their options, and how what stands on the command line is read."""
