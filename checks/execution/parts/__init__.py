"""One run in several parts, on machines that need not know of each other: `run --shard I/N`, then `merge`."""
