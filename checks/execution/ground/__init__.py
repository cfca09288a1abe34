"""What all execution stands on: memory, sealed files, what can go wrong elsewhere."""
