"""Claims and shards handed to the workers of a Dask scheduler, perhaps on other machines."""
