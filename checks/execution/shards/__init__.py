"""A claim with a heavy scope, settled by several processes at once: shard by shard."""
