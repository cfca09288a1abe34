"""Claims about heaps with parts as WebAssembly, for large scopes."""
