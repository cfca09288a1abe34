"""The page of a run: what its front says, what each verdict means for a reader, and how text is set."""
