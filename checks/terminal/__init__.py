"""What a run prints while it goes on and when it ends."""
