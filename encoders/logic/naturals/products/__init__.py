"""Literals with products of variables: numbers at which they hold, or a proof that they exclude each other."""
