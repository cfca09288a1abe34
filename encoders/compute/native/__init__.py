"""The search of a scope by WebAssembly code: for heaps with parts, and for large heaps that are numbers."""
