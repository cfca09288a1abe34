"""The library of claim files. The code of the claim language is in `claims.language`."""
