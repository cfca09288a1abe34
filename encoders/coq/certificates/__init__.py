"""Certificates for the checker that Coq has proved right: coq/certificates."""
