"""Terms as MathML and as English."""
