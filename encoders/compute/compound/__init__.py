"""Games whose heaps consist of numbers and lists."""
