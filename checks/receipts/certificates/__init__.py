"""Certificates of proofs: written beside the reports, and checked again, with nothing searched."""
