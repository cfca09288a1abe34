"""Claims settled one after the other or side by side, in processes of their own where that is quicker."""
