"""Rules for games whose heaps have parts: lists of given lengths, number by number, and lists of any length."""
