"""Why a claim fails at a case, and the words for it."""
