"""Claims in a repository: which depend on changed files, and what of a run is worse than in an older one."""
