"""What the whole language stands on: how a file that cannot be used is refused."""
