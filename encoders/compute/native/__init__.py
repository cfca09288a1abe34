"""Claims about compound heaps as WebAssembly, for large scopes."""
