"""The parts of the page of a run: its front, maps, pictures, boards and proofs, and the typesetting of text."""
