"""The solver in plain Python, a row of bits as one integer: where the kernel cannot run, and to check it."""
