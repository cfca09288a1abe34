"""The kernel: kernel.c, what .ci/kernel makes of it, and the machine that runs it."""
